// A pass of one kernel compiled for it, whose blocks hold planes (known_plane.cuh), and passes of the library for numbers at other
// addresses.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/entry.hpp"
#include "cuda/runtime.hpp"
#include "fft/cuda/pass.hpp"
#include "move/planned.hpp"

namespace crinkle::fft {

inline constexpr std::int64_t plane_kept_bytes = 2 << 10;  // of a block's shared memory, for the runtime
inline constexpr std::int64_t longest_bytes = 128 << 10;   // of a line that a block takes whole (is_compiled_length)
inline constexpr std::int64_t most_together = 8;           // blocks of a cluster on any card that has them

/// How many shapes of a kernel a plan tries.
inline std::size_t shapes_wanted() { return kernel_options().effort == KernelEffort::measured ? most_shapes : 1; }

/// What is expected: numbers of a plane, shares of a copy of them by the library's passes and by the kernel, seconds to compile.
struct PlaneWorth {
  std::int64_t n_numbers = 1;
  double share_of_passes = 1, share_of_kernel = 1, compile_seconds = 1;
};

template <class T>
class PlanePass final : public Pass {
 public:
  /// One of each axis, or one of all.
  using Passes = std::vector<std::unique_ptr<CudaPass<T>>>;
  PlanePass(Passes passes, CompiledLines<T> plane, std::int64_t multiprocessors, std::string what)
      : passes_(std::move(passes)), plane_(std::move(plane)), multiprocessors_(multiprocessors), what_(std::move(what)) {}

  std::int64_t workspace_bytes() const override {
    std::int64_t bytes = 0;
    for (const auto& pass : passes_) bytes = std::max(bytes, pass->workspace_bytes());
    return bytes;
  }

  void run(const std::byte* in, std::byte* out, std::byte* workspace, const Worker& by) const override {
    const auto is_multiple = [](const std::byte* p, int of) {
      return reinterpret_cast<std::uintptr_t>(p) % static_cast<std::uintptr_t>(of) == 0;
    };
    if (is_multiple(in, plane_.lines.ends.in_unit) && is_multiple(out, plane_.lines.ends.out_unit)) {
      launch_compiled(plane_.lines, *plane_.kernel, plane_.shape, in, out, multiprocessors_, by.stream);
      return;
    }
    const std::size_t last = passes_.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) passes_[i]->run(i == 0 ? in : by.between, i == last ? out : by.between, workspace, by);
  }

  std::string describe() const override {
    std::string text = fmt::format("{} in one pass, {} bytes of a block of {} threads, by a kernel compiled for it, {}", what_,
                                   plane_.shape.shared_bytes, plane_.shape.threads, plane_.kernel->name());
    for (const auto& pass : passes_) text += "\n    " + pass->describe();
    return text;
  }

 private:
  Passes passes_;
  CompiledLines<T> plane_;
  std::int64_t multiprocessors_ = 1;
  std::string what_;
};

/// Null where there is no kernel, or it does not pay. `planes` are shapes of it, of which the first or the quickest is taken; `reach` as
/// quickest_of has it; `what` for describe().
template <class T>
std::unique_ptr<Pass> plane_pass(typename PlanePass<T>::Passes passes, std::vector<CompiledLines<T>> planes,
                                 const std::vector<CudaLoop>& reach, const char* what, const PlaneWorth& worth, Device device) {
  if (planes.empty() || planes.front().lines.n_blocks == 0) return nullptr;
  CompiledLines<T> plane = planes.front();
  const double bytes =
      static_cast<double>(plane.lines.n_blocks) * static_cast<double>(worth.n_numbers) * static_cast<double>(2 * sizeof(Number<T>));
  const double measured = machine_of(device).copy_gb_per_s(static_cast<std::int64_t>(bytes / 2)),
               seconds = bytes / (1e9 * (measured > 0 ? measured : 1000));
  plane.kernel =
      gpu::compiled(plane.source, device, {seconds / worth.share_of_passes, seconds / worth.share_of_kernel, worth.compile_seconds});
  if (!plane.kernel) return nullptr;
  if (std::optional<CompiledLines<T>> quickest = quickest_of(std::move(planes), reach, device)) plane = *std::move(quickest);
  const gpu::OnDevice on(device.index);
  gpu::entry<&gpu::allow_shared_bytes>(plane.kernel->get(), plane.shape.shared_bytes, device.index);
  return std::make_unique<PlanePass<T>>(std::move(passes), std::move(plane), facts_of(device).multiprocessors, what);
}

}  // namespace crinkle::fft
