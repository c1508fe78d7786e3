// Some lines of a destination: pairs that lie in them, and where these lie in the source, from the first to the last one.
// SPDX-License-Identifier: BSD-3-Clause
#include "triangle/works.hpp"

#include <algorithm>
#include <limits>

#include "tile/triangle_part.hpp"

namespace crinkle {
namespace {

using Form = TriangleLayout::Form;

// The element at which a line begins; for line n, at which the array ends.
std::int64_t begin_of(const TriangleLayout& layout, std::int64_t line) {
  const std::int64_t all = layout.n_elements(), pitch = layout.pitch == 0 ? layout.n : layout.pitch;
  if (layout.form == Form::full || layout.form == Form::symmetric) return line == layout.n ? all : line * pitch;
  for (const PartLines& p : parts_of(layout)) {
    const tile::PartByLines lines{p.part, p.lines.are_columns};
    if (line < lines.last_line()) return p.lines.start(line) + lines.begin(line);
  }
  return all;
}

}  // namespace

TriangleSlab::TriangleSlab(const TriangleLayout& from, const TriangleLayout& to, std::int64_t begin, std::int64_t end)
    : element_(to.element_bytes), writes_{begin_of(to, begin), begin_of(to, end)} {
  Elements all{std::numeric_limits<std::int64_t>::max(), 0};
  for (TrianglePiece piece : pieces_of(from, to)) {
    auto& [i_begin, i_end, j_begin, j_end, gap] = piece.part;
    (piece.to.are_columns ? j_begin : i_begin) = std::max(piece.to.are_columns ? j_begin : i_begin, begin);
    (piece.to.are_columns ? j_end : i_end) = std::min(piece.to.are_columns ? j_end : i_end, end);
    if (is_empty(piece.part)) continue;
    piece.part = common_part(piece.part, piece.part);
    if (is_empty(piece.part)) continue;
    const tile::PartByLines lines{piece.part, piece.from.are_columns};
    const std::int64_t first = lines.first_line(), last = lines.last_line() - 1;
    all = {std::min(all.first, piece.from.start(first) + lines.begin(first)), std::max(all.last, piece.from.start(last) + lines.end(last))};
    pieces_.push_back(piece);
  }
  if (all.first < all.last) reads_ = all;
  for (DiagonalLines zeros : zeros_of(from, to)) {
    zeros.begin = std::max(zeros.begin, begin);
    zeros.end = std::min(zeros.end, end);
    if (zeros.begin < zeros.end) zeros_.push_back(zeros);
  }
}

Conversion TriangleSlab::conversion(const Elements& source, const Elements& destination) const {
  Conversion to{{}, zeros_, element_, (source.last - source.first) * element_};
  for (TrianglePiece piece : pieces_) {
    piece.from.first -= source.first;
    piece.to.first -= destination.first;
    to.works.push_back({piece, std::nullopt});
  }
  for (DiagonalLines& zeros : to.zeros) zeros.lines.first -= destination.first;
  return to;
}

}  // namespace crinkle
