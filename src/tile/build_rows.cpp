// The tile of rows from its shape: pieces along a row, a few rows together where rows are short, and the source span that aligned
// vectors must not leave.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/checked.hpp"
#include "base/ensure.hpp"
#include "tile/build.hpp"
#include "tile/groups.hpp"

namespace crinkle::tile {

std::int64_t row_pieces(const Box& box, std::int32_t alignment) {
  const Axis& row = box.axes.back();
  if (row.dst_stride != box.unit) return row.extent;
  std::int64_t begins_at = common_alignment(RowTile::line, box.dst_offset);
  for (std::size_t a = 0; a + 1 < box.axes.size(); ++a) begins_at = common_alignment(begins_at, dst_bytes(box.axes[a]));
  const std::int64_t late = (RowTile::line - std::max<std::int64_t>(begins_at, box.unit)) / box.unit;
  return ceil_divide(row.extent + late, std::max(1, std::min(16, alignment) / box.unit));
}

RowTile build_rows(const Rows& rows, const Shape& shape) {
  ensure(!rows.box.axes.empty() && !rows.segments.empty() && rows.segments.size() <= max_segments);
  RowTile tile;
  const Box& box = rows.box;
  const Axis& row = box.axes.back();
  tile.row_units = row.extent;
  tile.dst_step = row.dst_stride;
  tile.is_contiguous = row.dst_stride == box.unit;
  tile.piece_bytes = tile.is_contiguous ? std::max(box.unit, std::min(16, shape.alignment)) : box.unit;
  tile.vector = tile.piece_bytes / box.unit;
  while ((1 << tile.vector_log2) > tile.vector) --tile.vector_log2;
  while ((1 << tile.vector_log2) < tile.vector) ++tile.vector_log2;
  tile.threads = shape.threads;
  tile.pace_bytes = shape.pace_bytes;
  tile.n_segments = static_cast<std::int32_t>(rows.segments.size());
  std::copy(rows.segments.begin(), rows.segments.end(), tile.segments.begin());

  const std::int64_t n_pieces = row_pieces(box, shape.alignment);
  Box pieces = box;
  pieces.axes.pop_back();

  // The grid is that of a box whose row axis counts pieces; where a piece lies is the tile's own arithmetic.
  pieces.axes.push_back(Axis{n_pieces, 0, 0});
  Inside inside;
  const auto n_axes = static_cast<std::int32_t>(pieces.axes.size());
  for (std::int32_t a = 0; a < n_axes; ++a) {
    inside.tile[a] = 1;
    inside.cut[a] = no_cut;
  }
  const std::int64_t along = std::min(n_pieces, std::max<std::int64_t>(1, shape.destination.tile));
  inside.tile[n_axes - 1] = along;
  inside.cut[n_axes - 1] = 1;
  tile.walk.n_pieces = static_cast<std::int32_t>(along);
  if (n_axes > 1 && along == n_pieces && shape.source.tile > 1) {
    const Axis& next = axis_of(pieces, n_axes - 2);
    inside.tile[n_axes - 2] = std::min(next.extent, shape.source.tile);
    inside.cut[n_axes - 2] = 0;
    tile.walk.n_rows = static_cast<std::int32_t>(inside.tile[n_axes - 2]);
    tile.walk.rows_cut = 0;
    tile.walk.rows.append(tile.walk.n_rows, destination_step(next));
    tile.row_src = source_step(next);
  }
  tile.row_pieces = Divisor<std::uint32_t>(static_cast<std::uint32_t>(tile.walk.n_pieces));
  tile.walk.share_among(tile.threads, 8);
  tile.frame = build_frame(pieces, inside, 0);

  std::int64_t low = 0, high = 0;
  for (const Axis& axis : pieces.axes) (src_bytes(axis) < 0 ? low : high) += src_bytes(axis) * (axis.extent - 1);
  for (std::size_t s = 0; s < rows.segments.size(); ++s) {
    const Segment& segment = rows.segments[s];
    const std::int64_t end = s + 1 < rows.segments.size() ? rows.segments[s + 1].first : row.extent;
    const std::int64_t begin = box.src_offset + segment.src_offset, last = begin + (end - segment.first - 1) * segment.src_step;
    tile.src_begin[static_cast<int>(s)] = low + std::min(begin, last);
    tile.src_end[static_cast<int>(s)] = high + std::max(begin, last) + box.unit;
  }
  return tile;
}

}  // namespace crinkle::tile
