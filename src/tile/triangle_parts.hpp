// A triangle's layout as lines: the pairs (i, j), i ≥ j, that it keeps, in at most two parts, each a TrianglePart whose places are
// TriangleLines. Rectangular full packed storage has two, with C = ⌈n/2⌉, k = ⌊n/2⌋, e = n even ? 1 : 0 and D = n + e lines apart
// ("N": columns D long; "T": rows C long, the same transposed):
//     lower:  j < C  at row i + e,   column j              upper:  i ≥ k  at row j,          column i − k
//             j ≥ C  at row j − C,   column i − k                  i < k  at row i + k + 1,  column j
// A conversion is the common refinement of two such lists: pieces whose pairs lie in lines on both sides, along the same count (lines are
// copied) or the other one (they cross: a transposition).
// Source: LAPACK 3.12, dtpttf.f and dtfttp.f, whose pictures for n = 6 and 5 are tests.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/small_vector.hpp"
#include "crinkle/detail/triangle_lines.hpp"
#include "crinkle/triangle_layout.hpp"

namespace crinkle {

struct PartLines {
  TrianglePart part;
  TriangleLines lines;
};

/// The parts that a layout keeps: every pair in exactly one of them, parts without a pair left out. Requires check().
using PartList = detail::SmallVector<PartLines, 3>;
PartList parts_of(const TriangleLayout& layout);

/// The parts that are written in a destination: parts_of(), and of a symmetric one the other triangle too, without the diagonal: the same
/// pairs at A[j][i] where parts_of() has A[i][j].
PartList destinations_of(const TriangleLayout& layout);

/// Pairs that lie in lines on both sides: dst[to.place(i, j)] = src[from.place(i, j)].
struct TrianglePiece {
  TrianglePart part;
  TriangleLines from, to;

  bool is_crossing() const { return from.are_columns != to.are_columns; }
};

/// A conversion: every place of the destination that belongs to a pair which both keep, in exactly one piece. Requires the same n.
using PieceList = detail::SmallVector<TrianglePiece, 4>;
PieceList pieces_of(const TriangleLayout& from, const TriangleLayout& to);

/// Places lines.place(i, i), begin ≤ i < end.
struct DiagonalLines {
  std::int64_t begin = 0, end = 0;
  TriangleLines lines;
};

/// The diagonal of a destination where the source keeps none: what is to be zero. Empty otherwise.
using DiagonalList = detail::SmallVector<DiagonalLines, 2>;
DiagonalList zeros_of(const TriangleLayout& from, const TriangleLayout& to);

/// The pairs that two parts share, bounds as close as they get; i_begin = i_end where there is none.
TrianglePart common_part(const TrianglePart& a, const TrianglePart& b);
bool is_empty(const TrianglePart& part);
std::int64_t count_pairs(const TrianglePart& part);

}  // namespace crinkle
