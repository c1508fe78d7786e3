// TriangleLines says where the pairs of a triangle lie, for host and device: the pairs (i, j), i ≥ j, of n things are cut into pieces whose
// pairs lie in lines. Along a line one of the two counts on by one element; the line is named by the other. Packed storage, rectangular
// full packed storage, SciPy's condensed vectors and full matrices are all of this form, and so is a conversion between any two of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle {

/// place(i, j) = start(line) + along, in elements, where (line, along) = (j, i) if lines are columns and (i, j) if they are rows, and
/// start(l) = first + step·l + bend·l(l − 1)/2. A full matrix has bend 0, packed triangles ±1.
struct TriangleLines {
  std::int64_t first = 0, step = 0, bend = 0;
  bool are_columns = false;

  /// Requires line ≥ 0. Right wherever the result fits: what lies between may not, and is counted modulo 2^64.
  CRINKLE_HD constexpr std::int64_t start(std::int64_t line) const {
    const auto l = static_cast<std::uint64_t>(line), slope = static_cast<std::uint64_t>(bend), half = l / 2;
    const std::uint64_t too_much = (l & 1) == 0 ? slope * half : 0;  // l(l − 1)/2 = l · half − half where l is even
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + l * (static_cast<std::uint64_t>(step) + slope * half) - too_much);
  }
  CRINKLE_HD constexpr std::int64_t place(std::int64_t i, std::int64_t j) const { return are_columns ? start(j) + i : start(i) + j; }

  friend constexpr bool operator==(const TriangleLines& a, const TriangleLines& b) {
    return a.first == b.first && a.step == b.step && a.bend == b.bend && a.are_columns == b.are_columns;
  }
};

/// The pairs {(i, j) : i_begin ≤ i < i_end, j_begin ≤ j < j_end, i ≥ j + gap}; gap is 1 where the diagonal is not there, else 0.
struct TrianglePart {
  std::int64_t i_begin = 0, i_end = 0, j_begin = 0, j_end = 0, gap = 0;

  CRINKLE_HD constexpr bool has(std::int64_t i, std::int64_t j) const {
    return i >= i_begin && i < i_end && j >= j_begin && j < j_end && i >= j + gap;
  }
};

}  // namespace crinkle
