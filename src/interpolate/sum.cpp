// Which way a request goes: over all samples, or over the near ones, in two dimensions or three.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/sum.hpp"

#include <algorithm>
#include <utility>

#include "cuda/device_buffers.hpp"
#include "interpolate/cpu/full_sum.hpp"
#include "interpolate/cpu/near_sum.hpp"
#include "interpolate/cpu/radius_sum.hpp"
#include "interpolate/cpu/tree_sum.hpp"
#include "interpolate/cuda/near.hpp"
#include "interpolate/cuda/sum.hpp"
#include "interpolate/order.hpp"
#include "interpolate/shared_places.hpp"

namespace crinkle::interpolation {
namespace {

/// Over all samples; float32 results depend on the groups of targets that go through the kernels together, and on a box around all of them.
struct Full {
  FullSum sum;

  Full(const SamplePlanes& samples, const Interpolation& how, Executor&) : sum(samples, how) {}
  static constexpr const char* name = "all samples";
  static bool can_be_cut(TargetsAre are, Real) { return are == TargetsAre::known; }
  static double n_pairs(const SamplePlanes& samples, const Interpolation&) { return static_cast<double>(samples.n); }
};

/// Within a tolerance: by groups of near targets, and in full where a few of these say that it is less work.
struct Tree {
  FullSum full;
  TreeSum sum;

  Tree(const SamplePlanes& samples, const Interpolation& how, Executor& executor) : full(samples, how), sum(samples, how, full, executor) {}
  static constexpr const char* name = "all samples within a tolerance";
  static bool can_be_cut(TargetsAre, Real) { return false; }
  static double n_pairs(const SamplePlanes& samples, const Interpolation&) { return static_cast<double>(samples.n) / 8; }
};

/// Every target for itself, whatever group finds its samples.
struct Local {
  static bool can_be_cut(TargetsAre, Real) { return true; }
  static double n_pairs(const SamplePlanes&, const Interpolation& how) {
    return static_cast<double>(how.neighbours > 0 ? how.neighbours * how.sectors : 1);
  }
};
template <int n_dimensions>
struct Near : Local {
  NearSum<n_dimensions> sum;

  Near(const SamplePlanes& samples, const Interpolation& how, Executor& executor) : sum(samples, how, executor) {}
  static constexpr const char* name = "the nearest samples";
};
template <int n_dimensions>
struct Within : Local {
  RadiusSum<n_dimensions> sum;

  Within(const SamplePlanes& samples, const Interpolation& how, Executor& executor) : sum(samples, how, executor) {}
  static constexpr const char* name = "the samples within a radius";
};

/// In float32 the targets of a warp go the same way through a run of samples, which depends on all of them; in float64 there is one way.
struct FullOnGpu {
  CudaSum sum;

  FullOnGpu(const SamplePlanes& samples, const Interpolation& how, Device device, Executor&) : sum(samples, how, device) {}
  FullOnGpu(const SamplePlanes&, const Interpolation& how, const CudaPoints& points, Device device) : sum(points, how, device) {}
  static constexpr const char* name = "all samples";
  static bool can_be_cut(TargetsAre, Real values) { return values == Real::float64; }
  static double n_pairs(const SamplePlanes& samples, const Interpolation&) { return static_cast<double>(samples.n); }
};
struct NearOnGpu : Local {
  CudaNear sum;

  NearOnGpu(const SamplePlanes& samples, const Interpolation& how, Device device, Executor& executor)
      : sum(samples, how, device, executor) {}
  NearOnGpu(const SamplePlanes&, const Interpolation& how, const CudaPoints& points, Device device) : sum(points, how, device) {}
  static constexpr const char* name = "near samples";
};

template <class Way>
class SumBy final : public Sum {
 public:
  template <class... More>
  SumBy(const SamplePlanes& samples, const Interpolation& how, More&&... more)
      : way_(samples, how, std::forward<More>(more)...), n_pairs_(Way::n_pairs(samples, how)) {}

  void run(const Targets& targets, std::span<float> out, std::byte* workspace, const Worker& worker) const override {
    run_typed(targets, out, workspace, worker);
  }
  void run(const Targets& targets, std::span<double> out, std::byte* workspace, const Worker& worker) const override {
    run_typed(targets, out, workspace, worker);
  }
  bool can_be_cut(TargetsAre are, Real values) const noexcept override { return Way::can_be_cut(are, values); }
  double n_pairs() const noexcept override { return n_pairs_; }
  const char* name() const noexcept override { return Way::name; }
  std::int64_t workspace_bytes(std::int64_t n_targets) const override {
    if constexpr (requires { way_.sum.workspace_bytes(n_targets); }) return way_.sum.workspace_bytes(n_targets);
    else return 0;
  }

 private:
  template <class T>
  void run_typed(const Targets& targets, std::span<T> out, [[maybe_unused]] std::byte* workspace, const Worker& worker) const {
    if constexpr (requires { way_.sum.run(targets, out, workspace, worker.stream()); })
      way_.sum.run(targets, out, workspace, worker.stream());
    else if constexpr (requires { way_.sum.run(targets, out, worker.stream()); }) way_.sum.run(targets, out, worker.stream());
    else way_.sum.run(targets, out, worker.executor());
  }

  Way way_;
  double n_pairs_;
};

template <class Way, class... More>
std::unique_ptr<const Sum> by(const SamplePlanes& samples, const Interpolation& how, More&&... more) {
  return std::make_unique<const SumBy<Way>>(samples, how, std::forward<More>(more)...);
}

std::unique_ptr<const Sum> near_sum(const SamplePlanes& samples, const Interpolation& how, Executor& executor) {
  const bool is_flat = samples.n_dimensions == 2;
  if (how.neighbours == 0) return is_flat ? by<Within<2>>(samples, how, executor) : by<Within<3>>(samples, how, executor);
  return is_flat ? by<Near<2>>(samples, how, executor) : by<Near<3>>(samples, how, executor);
}

}  // namespace

Ready::Ready(const Samples& given, const Interpolation& asked, Device on, Executor& executor) : how(asked), device(on) {
  const bool is_on_gpu = on.kind == Device::Kind::cuda;
  if (is_on_gpu) device.index = gpu::cuda_index(on, "interpolation");
  samples = planes_of(given);
  check(how, samples);
  how.neighbours = std::min(how.neighbours, samples.n);
  frame = Frame(how.anisotropy, samples);
  samples = frame.of(std::move(samples));
  if (how.is_local() || samples.n < how.least_neighbours) {
    // Neighbours may be fewer than the samples on one place: each of these stands for all.
    const SharedPlaces shared(samples, executor, how.neighbours);
    samples = shared.merged(std::move(samples));
    sum = is_on_gpu ? by<NearOnGpu>(samples, how, device, executor) : near_sum(samples, how, executor);
    return;
  }
  samples = along_curve(samples, executor);
  sum = is_on_gpu                          ? by<FullOnGpu>(samples, how, device, executor)
        : TreeSum::is_of_use(samples, how) ? by<Tree>(samples, how, executor)
                                           : by<Full>(samples, how, executor);
}

Ready::Ready(const DeviceSamples& given, const Interpolation& asked, Device on, const Stream& stream)
    : how(asked), device{Device::Kind::cuda, gpu::cuda_index(on, "interpolation")}, are_on_device(true) {
  const CudaPoints points(given, how, device, stream);
  how.neighbours = std::min(how.neighbours, points.n_counted());
  samples = points.planes();
  frame = points.frame();
  sum = points.are_for_a_tree() ? by<NearOnGpu>(samples, how, points, device) : by<FullOnGpu>(samples, how, points, device);
}

}  // namespace crinkle::interpolation
