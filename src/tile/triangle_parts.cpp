// SPDX-License-Identifier: BSD-3-Clause
#include "tile/triangle_parts.hpp"

#include <algorithm>

namespace crinkle {
namespace {

using Form = TriangleLayout::Form;

void add_part(PartList& parts, const TrianglePart& part, const TriangleLines& lines) {
  const TrianglePart close = common_part(part, part);
  if (!is_empty(close)) parts.push_back({close, lines});
}

PartList parts_of_rfp(const TriangleLayout& layout) {
  const std::int64_t n = layout.n, wide = (n + 1) / 2, half = n / 2, even = n % 2 == 0 ? 1 : 0, tall = n + even;
  const bool is_transposed = layout.order == TriangleLayout::Order::rows;
  // Lines of the picture in the head of parts.hpp are its columns, transposed its rows: where those count j, lines are columns of the
  // matrix.
  const auto lines = [&](std::int64_t row, std::int64_t column, bool is_row_i) {
    return is_transposed ? TriangleLines{row * wide + column, wide, 0, !is_row_i} : TriangleLines{column * tall + row, tall, 0, is_row_i};
  };
  PartList parts;
  if (layout.triangle == TriangleLayout::Triangle::lower) {
    add_part(parts, {0, n, 0, wide, 0}, lines(even, 0, true));
    add_part(parts, {wide, n, wide, n, 0}, lines(-wide, -half, false));
  } else {
    add_part(parts, {half, n, 0, n, 0}, lines(0, -half, false));
    add_part(parts, {0, half, 0, half, 0}, lines(half + 1, 0, true));
  }
  return parts;
}

}  // namespace

PartList parts_of(const TriangleLayout& layout) {
  const std::int64_t n = layout.n, pitch = layout.pitch == 0 ? n : layout.pitch;
  // Lower columns and upper rows have j fixed along a line, the other two have i.
  const bool are_columns = (layout.triangle == TriangleLayout::Triangle::lower) == (layout.order == TriangleLayout::Order::columns);
  PartList parts;
  switch (layout.form) {
    case Form::full:
    case Form::symmetric: add_part(parts, {0, n, 0, n, 0}, {0, pitch, 0, are_columns}); break;
    case Form::packed:
      add_part(parts, {0, n, 0, n, 0}, are_columns ? TriangleLines{0, n - 1, -1, true} : TriangleLines{0, 1, 1, false});
      break;
    case Form::rfp: return parts_of_rfp(layout);
    case Form::condensed: add_part(parts, {0, n, 0, n, 1}, {-1, n - 2, -1, true}); break;
  }
  return parts;
}

PartList destinations_of(const TriangleLayout& layout) {
  PartList parts = parts_of(layout);
  if (layout.form != Form::symmetric || parts.empty()) return parts;
  TriangleLines mirrored = parts[0].lines;
  mirrored.are_columns = !mirrored.are_columns;
  add_part(parts, {0, layout.n, 0, layout.n, 1}, mirrored);
  return parts;
}

PieceList pieces_of(const TriangleLayout& from, const TriangleLayout& to) {
  PieceList pieces;
  const PartList sources = parts_of(from), destinations = destinations_of(to);
  for (const PartLines& destination : destinations) {
    for (const PartLines& source : sources) {
      const TrianglePart part = common_part(source.part, destination.part);
      if (!is_empty(part)) pieces.push_back({part, source.lines, destination.lines});
    }
  }
  return pieces;
}

DiagonalList zeros_of(const TriangleLayout& from, const TriangleLayout& to) {
  DiagonalList zeros;
  if (from.has_diagonal() || !to.has_diagonal()) return zeros;
  for (const PartLines& p : parts_of(to)) {
    const std::int64_t begin = std::max(p.part.i_begin, p.part.j_begin), end = std::min(p.part.i_end, p.part.j_end);
    if (begin < end) zeros.push_back({begin, end, p.lines});
  }
  return zeros;
}

TrianglePart common_part(const TrianglePart& a, const TrianglePart& b) {
  TrianglePart c{std::max(a.i_begin, b.i_begin), std::min(a.i_end, b.i_end), std::max(a.j_begin, b.j_begin), std::min(a.j_end, b.j_end),
                 std::max(a.gap, b.gap)};
  c.i_begin = std::max(c.i_begin, c.j_begin + c.gap);
  c.j_end = std::min(c.j_end, c.i_end - c.gap);
  if (c.i_begin >= c.i_end || c.j_begin >= c.j_end) return {};
  return c;
}

bool is_empty(const TrianglePart& part) { return part.i_begin >= part.i_end || part.j_begin >= part.j_end; }

std::int64_t count_pairs(const TrianglePart& part) {
  if (is_empty(part)) return 0;
  // Columns up to `full` are whole; each after it is one shorter than the one before.
  const std::int64_t height = part.i_end - part.i_begin;
  const std::int64_t full = std::clamp(part.i_begin - part.gap + 1, part.j_begin, part.j_end), n_cut = part.j_end - full;
  const std::int64_t longest = part.i_end - full - part.gap;
  const std::int64_t even = n_cut % 2 == 0 ? n_cut : n_cut - 1, odd = n_cut % 2 == 0 ? n_cut - 1 : n_cut;
  return (full - part.j_begin) * height + n_cut * longest - even / 2 * odd;
}

}  // namespace crinkle
