// Where a target lies on Morton's curve through a box: 2^16 cells along each of 2 axes, 2^10 along each of 3. What lies outside is at the
// box's faces. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpolate/cuda/scan.cuh"

namespace crinkle::interpolation::kernel {

/// `box`: [2][n_dimensions], least and most.
template <int n_dimensions>
__device__ std::uint32_t curve_key(const double* box, const CudaTargets& targets, std::int64_t t) {
  constexpr int bits = n_dimensions == 2 ? 16 : 10;
  constexpr double last = (1 << bits) - 1;
  double q[3];
  target_at<n_dimensions>(targets, t, q);
  std::uint32_t key = 0;
#pragma unroll
  for (int a = 0; a < n_dimensions; ++a) {
    const double place = (q[a] - box[a]) / (box[n_dimensions + a] - box[a]) * last;
    const auto cell = static_cast<std::uint32_t>(place > 0 ? place < last ? place : last : 0);  // NaN, too, is in the first
#pragma unroll
    for (int b = 0; b < bits; ++b) key |= (cell >> b & 1) << (b * n_dimensions + a);
  }
  return key;
}

template <int n_dimensions>
struct PutCurveKeys {
  const double* box;
  CudaTargets targets;
  std::uint32_t *keys, *own;
  __device__ void operator()(std::int64_t t) const {
    keys[t] = curve_key<n_dimensions>(box, targets, t);
    own[t] = static_cast<std::uint32_t>(t);
  }
};

}  // namespace crinkle::interpolation::kernel
