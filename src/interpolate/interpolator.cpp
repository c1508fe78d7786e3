// Which way a request goes: over all samples, or over the near ones, in two dimensions or three.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/checked.hpp"
#include "cuda/device_buffers.hpp"
#include "interpolate/cpu/full_sum.hpp"
#include "interpolate/cpu/near_sum.hpp"
#include "interpolate/cpu/radius_sum.hpp"
#include "interpolate/cpu/tree_sum.hpp"
#include "interpolate/cuda/near.hpp"
#include "interpolate/cuda/sum.hpp"
#include "interpolate/order.hpp"
#include "interpolate/shared_places.hpp"

namespace crinkle {

using namespace interpolation;

struct Interpolator::Data {
  Frame frame;
  SamplePlanes samples;  // in the frame; for sums over all of them along a curve, so that runs of them are small
  std::optional<FullSum> full;
  std::optional<TreeSum> tree;  // where there is a tolerance
  std::optional<NearSum<2>> near_2;
  std::optional<NearSum<3>> near_3;
  std::optional<RadiusSum<2>> radius_2;  // where the number of neighbours does not matter
  std::optional<RadiusSum<3>> radius_3;
  std::optional<CudaSum> cuda;
  std::optional<CudaNear> cuda_near;
  double nodata;

  Data(const Samples& given, const Interpolation& how) : samples(planes_of(given)), nodata(how.nodata) {
    check(how, samples);
    frame = Frame(how.anisotropy, samples);
    samples = frame.of(std::move(samples));
  }
  Data(const Samples& given, const Interpolation& how, Executor& executor) : Data(given, how) {
    if (is_near(how)) {
      merge_places(how, executor);
      const bool is_flat = samples.n_dimensions == 2;
      if (how.neighbours == 0 && is_flat) radius_2.emplace(samples, how, executor);
      else if (how.neighbours == 0) radius_3.emplace(samples, how, executor);
      else if (is_flat) near_2.emplace(samples, how, executor);
      else near_3.emplace(samples, how, executor);
    } else {
      samples = along_curve(samples, executor);
      full.emplace(samples, how);
      if (TreeSum::is_of_use(samples, how)) tree.emplace(samples, how, *full, executor);
    }
  }
  Data(const Samples& given, const Interpolation& how, Device device) : Data(given, how) {
    const Device there = {Device::Kind::cuda, gpu::cuda_index(device, "interpolation")};
    if (is_near(how)) {
      merge_places(how, default_executor());
      cuda_near.emplace(samples, how, there, default_executor());
    } else {
      samples = along_curve(samples, default_executor());
      cuda.emplace(samples, how, there);
    }
  }

  // Neighbours may be fewer than the samples on one place: each of these stands for all.
  void merge_places(const Interpolation& how, Executor& executor) {
    const SharedPlaces shared(samples, executor, how.neighbours);
    samples = shared.merged(std::move(samples));
  }
  // Not all samples count, or too few are there.
  bool is_near(const Interpolation& how) const { return how.is_local() || samples.n < how.least_neighbours; }
  bool is_on_gpu() const { return cuda || cuda_near; }
  template <class T>
  void check_out(const Targets& targets, std::span<T> out) const {
    const std::int64_t n = multiply(targets.n(), samples.n_columns());
    if (std::ssize(out) != n) {
      throw Error(ErrorCode::bad_shape, fmt::format("{} targets in {} columns are {} numbers; the buffer is for {}", targets.n(),
                                                    samples.n_columns(), n, out.size()));
    }
    constexpr double beyond_float = 0x1.ffffffp127;  // is infinite as float32
    if (sizeof(T) == sizeof(float) && std::isfinite(nodata) && std::abs(nodata) >= beyond_float)
      throw Error(ErrorCode::bad_shape, fmt::format("nodata {} is beyond float32; take another, or float64 results", nodata));
  }
  template <class T>
  void run(const Targets& targets, std::span<T> out, const Stream& stream) const {
    if (!is_on_gpu()) throw Error(ErrorCode::device, "this interpolator is for the CPU: run it with an executor, or make it for cuda(n)");
    check_out(targets, out);
    if (cuda) cuda->run(targets, out, stream);
    else cuda_near->run(targets, out, stream);
  }
  template <class T>
  void run(const Targets& targets, std::span<T> out, Executor& executor) const {
    if (is_on_gpu()) throw Error(ErrorCode::device, "this interpolator is for a GPU: run it on a stream, not with an executor of the CPU");
    check_out(targets, out);
    if (tree) tree->run(targets, out, executor);
    else if (full) full->run(targets, out, executor);
    else if (radius_2) radius_2->run(targets, out, executor);
    else if (radius_3) radius_3->run(targets, out, executor);
    else if (near_2) near_2->run(targets, out, executor);
    else near_3->run(targets, out, executor);
  }
};

Interpolator::Interpolator(const Samples& samples, const Interpolation& how, Executor& executor)
    : data_(std::make_unique<const Data>(samples, how, executor)) {}
Interpolator::Interpolator(const Samples& samples, const Interpolation& how, Device device)
    : data_(std::make_unique<const Data>(samples, how, device)) {}
Interpolator::~Interpolator() = default;
Interpolator::Interpolator(Interpolator&&) noexcept = default;
Interpolator& Interpolator::operator=(Interpolator&&) noexcept = default;

std::int64_t Interpolator::n_columns() const noexcept { return data_->samples.n_columns(); }

void Interpolator::run(const Raster& raster, std::span<float> out, Executor& executor) const {
  data_->run(Targets(raster, data_->samples.n_dimensions, data_->frame), out, executor);
}
void Interpolator::run(const Raster& raster, std::span<double> out, Executor& executor) const {
  data_->run(Targets(raster, data_->samples.n_dimensions, data_->frame), out, executor);
}
void Interpolator::run(const Reals& places, std::span<float> out, Executor& executor) const {
  data_->run(Targets(places, data_->samples.n_dimensions, data_->frame), out, executor);
}
void Interpolator::run(const Reals& places, std::span<double> out, Executor& executor) const {
  data_->run(Targets(places, data_->samples.n_dimensions, data_->frame), out, executor);
}
void Interpolator::run(const Raster& raster, std::span<float> out, const Stream& stream) const {
  data_->run(Targets(raster, data_->samples.n_dimensions, data_->frame), out, stream);
}
void Interpolator::run(const Raster& raster, std::span<double> out, const Stream& stream) const {
  data_->run(Targets(raster, data_->samples.n_dimensions, data_->frame), out, stream);
}
void Interpolator::run(const Reals& places, std::span<float> out, const Stream& stream) const {
  data_->run(Targets::unseen(places, data_->samples.n_dimensions, data_->frame), out, stream);
}
void Interpolator::run(const Reals& places, std::span<double> out, const Stream& stream) const {
  data_->run(Targets::unseen(places, data_->samples.n_dimensions, data_->frame), out, stream);
}

}  // namespace crinkle
