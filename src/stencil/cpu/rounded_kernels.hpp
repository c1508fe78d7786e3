// The innermost loop of stencils of bytes in float32 lanes. A sum in float32 lies within a bound of the definition's, in float64; where it
// lies nearer to a half than that, so that it might round otherwise, a vector's sums are made anew in float64, as the definition does.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::simd {

/// Σ_k weights[k] · from[k][i], 0 ≤ i < n. With rows, from[k] lies in `sums`: sums[i] = Σ_k row_weights[k] · rows[k][i], 0 ≤ i < n_sums.
/// Numbers are read, and sums written, up to rounded_padding behind the last one.
struct RoundedSum {
  const float* const* rows = nullptr;  // [n_rows]
  const float* row_weights = nullptr;
  const double* exact_row_weights = nullptr;
  std::int64_t n_rows = 0, n_sums = 0;
  float* sums = nullptr;
  double* exact_sums = nullptr;        // [n_sums − n + rounded_padding]
  const float* const* from = nullptr;  // [n_points]
  const float* weights = nullptr;
  const double* exact_weights = nullptr;
  std::int64_t n_points = 0, n = 0;
  float certain = 0;  // sums that lie at most so far from a whole number become that number
};
inline constexpr std::int64_t rounded_padding = 64;

struct RoundedKernels {
  const char* target;
  void (*sum_uint8)(const RoundedSum& sum, std::byte* to);
  void (*sum_int16)(const RoundedSum& sum, std::byte* to);

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const RoundedKernels& best();
  static std::vector<const RoundedKernels*> all();
};

}  // namespace crinkle::simd
