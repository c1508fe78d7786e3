// Rows of results whose columns lie 2 or 4 elements apart in the source, with the same weights for all: no table, no line between, one
// table of functions per instruction set (cpu/targets-inl.hpp). Bytes are summed in whole numbers, where weights are: float32 would be
// exact, too. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::simd {

inline constexpr int most_strided_rows = 8, most_strided_places = 8;

/// out[i] = Σ_k row_weights[k] Σ_p weights[p] · rows[k][step · i + p], 0 ≤ i < n, places p in [0, 2 step), in the order of k and p; or the
/// sum over k inside the one over p. Of bytes i and p count columns of `width` of them, 1 to 4, p < step where they are several. Terms with
/// a weight of 0 do not count. All weights are count / 2^shift, where bytes are summed.
struct StridedSum {
  const std::byte* const* rows = nullptr;  // where element 0 of the first column lies
  int n_rows = 1, step = 2, width = 1;
  bool is_row_inside = false;  // the sum over rows
  float row_weights[most_strided_rows] = {}, weights[most_strided_places] = {};
  std::uint16_t row_counts[most_strided_rows] = {}, counts[most_strided_places] = {};
  int shift = 0;                    // of the products of both
  std::int64_t n = 0, n_there = 0;  // columns; elements of a row, those before the first place that counts among them
  std::int64_t first_there = 0;     // elements before it are not read
};

struct StridedKernels {
  const char* target;
  void (*sum_float32)(const StridedSum& sum, std::byte* out);
  /// Sums below 2^15.
  void (*sum_uint8)(const StridedSum& sum, std::byte* out);

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const StridedKernels& best();
  static std::vector<const StridedKernels*> all();
};

}  // namespace crinkle::simd
