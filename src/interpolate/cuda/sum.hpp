// Sums over all samples on a GPU: the samples lie in its memory, in float64 and as the kernels of both types read them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/cuda.hpp"
#include "interpolate/cuda/memory.hpp"
#include "interpolate/cuda/points.hpp"
#include "interpolate/form.hpp"
#include "interpolate/planes.hpp"
#include "interpolate/scaled.hpp"

namespace crinkle::interpolation {

class CudaSum {
 public:
  /// Throws what cuda() throws, out_of_memory.
  CudaSum(const SamplePlanes& samples, const Interpolation& how, Device device);
  /// Of samples that lie there.
  CudaSum(const CudaPoints& points, const Interpolation& how, Device device);

  /// `targets` of memory of the device, which is the thread's own; the n_columns · n_targets numbers of `out`, too.
  template <class T>
  void run(const Targets& targets, std::span<T> out, const Stream& stream) const;

 private:
  bool is_full() const noexcept { return n_columns_ > 1 || samples_.weights != nullptr; }
  CudaSum(int n_dimensions, std::int64_t n, std::int64_t n_columns, const Interpolation& how, Device device);
  template <class T>
  CudaScaled<T> scaled_of(const SamplePlanes& samples, const Interpolation& how);
  /// What is the same wherever samples lie.
  template <class T>
  void tell(CudaScaled<T>& to, const Scale& scale);
  template <class T>
  void launch(const CudaScaled<T>& scaled, const CudaTargets& targets, CudaValues values, CUstream_st* stream) const;

  int n_dimensions_ = 2;
  std::int64_t n_columns_ = 1;
  CudaRule rule_ = CudaRule::any;
  CudaSamples samples_;
  CudaScaled<float> float32_;
  CudaScaled<double> float64_;
  CudaMemory memory_;
  DeviceMemory made_;  // what was made there
};

}  // namespace crinkle::interpolation
