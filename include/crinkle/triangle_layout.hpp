// The layouts that people keep triangles of matrices and vectors of pairs in, as values.
//
// An element belongs to a pair (i, j), n > i ≥ j ≥ 0. A layout of the lower triangle keeps it as A[i][j], one of the upper triangle as
// A[j][i]. Sources: LAPACK Users' Guide, "Packed Storage"; Gustavson et al., "Rectangular full packed format for Cholesky's algorithm",
// 2010; SciPy, `scipy.spatial.distance.squareform`.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crinkle {

/// full: n × n with a leading dimension. symmetric: the same with both triangles, equal. packed: LAPACK's TP. rfp: rectangular full packed,
/// LAPACK's TF. condensed: without the diagonal, in SciPy's order (0, 1), (0, 2) … (0, n − 1), (1, 2) ….
struct TriangleLayout {
  enum class Form : std::uint8_t { full, symmetric, packed, rfp, condensed };
  enum class Triangle : std::uint8_t { lower, upper };
  enum class Order : std::uint8_t { columns, rows };  // which lines of the matrix lie contiguous; LAPACK's are columns

  Form form = Form::packed;
  Triangle triangle = Triangle::lower;  // symmetric: what is read of it; condensed: either
  Order order = Order::columns;         // of rfp: rows is LAPACK's TRANSR = 'T'; symmetric, condensed: either
  std::int64_t n = 0;                   // of the matrix; 0 and 1 are legal
  std::int64_t element_bytes = 8;       // 1 or more
  std::int64_t pitch = 0;               // elements from line to line of full and symmetric; 0: n

  /// "full lower", "packed upper rows", "rfp upper", "condensed", "symmetric": a form, a triangle (default lower), an order (default
  /// columns), in any order. Throws bad_notation, with a caret, for other words, and what check() throws.
  static TriangleLayout parse(std::string_view text, std::int64_t n, std::int64_t element_bytes);
  std::string print() const;  // what parse() reads, without what is the default

  /// Throws bad_shape for a negative n, element_bytes < 1, 0 < pitch < n, or a pitch of another form; too_large where bytes() does not fit
  /// 63 bits.
  void check() const;

  bool has_diagonal() const noexcept { return form != Form::condensed; }
  std::int64_t n_pairs() const;                              // that it keeps: n(n + 1)/2, condensed n(n − 1)/2
  std::int64_t n_elements() const;                           // of its array, what lies between lines of `full` included
  std::int64_t bytes() const;                                // n_elements() · element_bytes
  std::int64_t place(std::int64_t i, std::int64_t j) const;  // of pair (i, j), i ≥ j, in elements. Requires a pair that it keeps

  friend bool operator==(const TriangleLayout&, const TriangleLayout&) = default;
};

}  // namespace crinkle
