// Triangles of matrices and vectors of pairs, in every layout that people keep them in, and conversions between any two in one pass.
//
//     const auto from = TriangleLayout::parse("packed lower", n, 8), to = TriangleLayout::parse("rfp lower", n, 8);
//     convert_triangle(from, to, {src, from.bytes()}, {dst, to.bytes()});
//
// An element belongs to a pair (i, j), n > i ≥ j ≥ 0. A layout of the lower triangle keeps it as A[i][j], one of the upper triangle as
// A[j][i]; so between lower and upper a conversion transposes, as it must for symmetric matrices (for a triangular matrix it gives the
// transpose). Sources: LAPACK Users' Guide, "Packed Storage"; Gustavson et al., "Rectangular full packed format for Cholesky's algorithm",
// 2010; SciPy, `scipy.spatial.distance.squareform`.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crinkle/cuda.hpp"
#include "crinkle/executor.hpp"

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

/// dst.place(i, j) = src.place(i, j) for every pair that both keep. A symmetric destination gets both triangles; a diagonal that the source
/// does not keep is zeros; other places of the destination, as the other triangle of `full`, are left as they are. Throws bad_shape where n
/// or the element differ or a buffer is too small, overlap where the buffers share bytes, what check() throws, all before anything is
/// written. Cost: one pass over what both keep; no allocation. Deterministic for any number of threads.
void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst,
                      Executor& executor = default_executor());

/// The same in a device's memory: given to the stream, not waited for; neither allocates nor waits. Throws also what cuda() throws, and
/// device for memory that the device cannot reach and a stream of another one.
void convert_triangle(const TriangleLayout& from, const TriangleLayout& to, ConstBuffer src, Buffer dst, Device device,
                      const Stream& stream);

}  // namespace crinkle
