// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <stdexcept>

#include "suites/arrays_gpu.hpp"
#include "suites/hypercubic.hpp"
#include "suites/hypercubic_kernels.hpp"

namespace crinkle::bench {
namespace {

/// Arrays of a GPU's memory. A blur is checked on the host.
class GpuSite : public TransformSite {
 public:
  GpuSite(std::int64_t n_bytes, std::uint64_t seed, Device device) : device_(device), seed_(seed), arrays_(n_bytes, device) {}

  std::function<void()> run_of(const Transform& t, Version version) override {
    const std::int64_t n_bytes = bytes_of(t);
    if (version != Version::by_plan) return kernel_of(t, version, source(), destination(), arrays_.stream().get());
    return [plan = Plan(map_of(t), device_), from = ConstBuffer{arrays_.source(), n_bytes}, to = Buffer{arrays_.destination(), n_bytes},
            stream = arrays_.stream()] { plan.run(from, to, stream); };
  }

  void check(const Transform& t, const std::string& what, const std::function<void()>& run) override {
    if (t.kind != Transform::Kind::blur) {
      arrays_.check(what, {bytes_of(t), bytes_of(t)}, map_of(t).boxes(), seed_, run);
      return;
    }
    std::vector<float> source(static_cast<std::size_t>(t.n * t.n)), result(source.size());
    fill_unit(source.data(), t.n * t.n, seed_, default_executor());
    copy_bytes({source.data(), bytes_of(t)}, {arrays_.filled(), bytes_of(t)});
    run();
    arrays_.stream().synchronize();
    copy_bytes({arrays_.destination(), bytes_of(t)}, {result.data(), bytes_of(t)});
    const std::int64_t at = first_wrong_of_blur(t.n, source.data(), result.data(), default_executor());
    if (at >= 0) throw std::runtime_error(what + ": byte " + std::to_string(at) + " of the result is not as defined");
  }

  std::vector<Contender> copies(std::int64_t n_bytes) override { return arrays_.copies(n_bytes); }
  void take_turns(std::vector<Contender>& contenders, const Effort& effort) override { arrays_.take_turns(contenders, effort); }
  int threads() const override { return 0; }

 private:
  static std::int64_t bytes_of(const Transform& t) { return t.n * t.n * std::int64_t{sizeof(float)}; }
  const float* source() const { return reinterpret_cast<const float*>(arrays_.source()); }
  float* destination() const { return reinterpret_cast<float*>(arrays_.destination()); }

  Device device_;
  std::uint64_t seed_;
  GpuArrays arrays_;
};

}  // namespace

void run_hypercubic_on_gpu(std::span<const std::int64_t> extents, const Effort& effort, std::uint64_t seed, Device device, Report& report) {
  GpuSite site(hypercubic_bytes(extents, effort), seed, device);
  run_hypercubic(site, extents, effort, seed, report);
}

}  // namespace crinkle::bench
