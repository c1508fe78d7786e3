// The innermost loops of stencils of bytes in whole numbers of 16 bits (stencil/integer.hpp), one table of functions per instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stencil/integer.hpp"

namespace crinkle::simd {

/// Numbers that are read behind the last one of a row, and that sums are written to.
inline constexpr std::int64_t integer_padding = 64;

/// Σ_k weights[k] · from[k][i], 0 ≤ i < n.
struct IntegerSum {
  const std::int16_t* const* from = nullptr;  // [n_points]
  const std::int16_t* weights = nullptr;      // [n_points]
  std::int64_t n_points = 0, n = 0;
  bool are_ones = false;
};

struct IntegerKernels {
  const char* target;
  /// Bytes as numbers.
  void (*widen)(const std::byte* from, std::int64_t n, std::int16_t* to);
  /// The sums; up to integer_padding behind the last one are overwritten.
  void (*sum)(const IntegerSum& sum, std::int16_t* to);
  /// The sums divided, as bytes (saturated) and as numbers of 16 bits.
  void (*sum_uint8)(const IntegerSum& sum, const IntegerDivision& division, std::byte* to);
  void (*sum_int16)(const IntegerSum& sum, const IntegerDivision& division, std::byte* to);

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const IntegerKernels& best();
  static std::vector<const IntegerKernels*> all();
};

}  // namespace crinkle::simd
