// Sums over the samples near each target on a GPU: a k-d tree, made on the CPU or there, lies in its memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"
#include "interpolate/cuda/memory.hpp"
#include "interpolate/cuda/near_form.hpp"
#include "interpolate/cuda/points.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

class CudaNear {
 public:
  /// Throws what cuda() throws, out_of_memory, and too_large for 2^32 samples and more.
  CudaNear(const SamplePlanes& samples, const Interpolation& how, Device device, Executor& executor);

  /// Of samples that lie there.
  CudaNear(const CudaPoints& points, const Interpolation& how, Device device);

  /// For putting so many places in order.
  std::int64_t workspace_bytes(std::int64_t n_targets) const;
  /// `targets` of memory of the device, which is the thread's own; the n_columns · n_targets numbers of `out`, too.
  template <class T>
  void run(const Targets& targets, std::span<T> out, std::byte* workspace, const Stream& stream) const;

  const CudaTree& tree() const noexcept { return tree_; }

 private:
  template <int n_dimensions>
  void upload_tree(const SamplePlanes& samples, Executor& executor);
  void ask(const Interpolation& how, const SamplePlanes& samples, const Reach& reach);

  Device device_;
  int n_dimensions_ = 2;
  CudaTree tree_;
  CudaMemory memory_;
  DeviceMemory made_;  // a tree that was made there
};

/// Tiles of a raster, about as wide as high.
CudaTiles tiles_of(const CudaTargets& targets);

}  // namespace crinkle::interpolation
