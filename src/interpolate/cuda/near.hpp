// Sums over the samples near each target on a GPU: a k-d tree made on the CPU lies in its memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"
#include "interpolate/cuda/memory.hpp"
#include "interpolate/cuda/near_form.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

class CudaNear {
 public:
  /// Throws what cuda() throws, out_of_memory, and too_large for 2^32 samples and more.
  CudaNear(const SamplePlanes& samples, const Interpolation& how, Device device, Executor& executor);

  /// `targets` of memory of the device, which is the thread's own; the n_columns · n_targets numbers of `out`, too.
  template <class T>
  void run(const Targets& targets, std::span<T> out, const Stream& stream) const;

  const CudaTree& tree() const noexcept { return tree_; }

 private:
  template <int n_dimensions>
  void upload_tree(const SamplePlanes& samples, Executor& executor);

  int n_dimensions_ = 2;
  CudaTree tree_;
  CudaMemory memory_;
};

/// Tiles of a raster, about as wide as high.
CudaTiles tiles_of(const CudaTargets& targets);

}  // namespace crinkle::interpolation
