// The tile of short rows from its shape: how many rows follow each other in the destination, what they need of the source, and whether
// they are read together.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/checked.hpp"
#include "base/ensure.hpp"
#include "tile/build.hpp"
#include "tile/groups.hpp"

namespace crinkle::tile {

namespace {

constexpr std::int64_t vector_bytes = 16;

bool is_flat(const Box& box) {
  const std::size_t n = box.axes.size();
  if (n < 2) return false;
  const Axis &rows = box.axes[n - 2], &row = box.axes[n - 1];
  return rows.dst_counts == Counts::bytes && rows.dst_stride == row.extent * box.unit;
}

}  // namespace

RowWindow window_of(const Rows& rows) {
  RowWindow window{INT64_MAX, INT64_MIN};
  const std::int64_t n_units = rows.box.axes.back().extent, unit = rows.box.unit;
  for (std::size_t s = 0; s < rows.segments.size(); ++s) {
    const Segment& segment = rows.segments[s];
    if (segment.is_fill) continue;
    const std::int64_t end = s + 1 < rows.segments.size() ? rows.segments[s + 1].first : n_units;
    const std::int64_t last = segment.src_offset + (end - segment.first - 1) * segment.src_step;
    window.first = std::min({window.first, segment.src_offset, last});
    window.last = std::max({window.last, segment.src_offset + unit, last + unit});
  }
  return window.first < window.last ? window : RowWindow{};  // rows of fills alone need nothing
}

bool can_segment(const Rows& rows, const Shape& shape) {
  constexpr std::int64_t most_window = 40 << 10;
  const Box& box = rows.box;
  if (shape.alignment < vector_bytes || box.axes.empty() || box.axes.back().dst_stride != box.unit) return false;
  if (box.axes.back().dst_counts != Counts::bytes || rows.segments.size() > max_segments) return false;
  for (const Segment& s : rows.segments)
    if (s.src_slot != 0) return false;
  const RowWindow window = window_of(rows);
  return window.first < window.last && window.n_bytes() <= most_window &&
         window.n_bytes() <= 4 * std::max<std::int64_t>(vector_bytes, box.axes.back().extent * box.unit);
}

SegmentedTile build_segmented(const Rows& rows, const Shape& shape) {
  ensure(can_segment(rows, shape));
  SegmentedTile tile;
  const Box& box = rows.box;
  tile.threads = shape.threads;
  tile.vector = static_cast<std::int32_t>(vector_bytes) / box.unit;
  while ((1 << tile.vector_log2) > tile.vector) --tile.vector_log2;
  while ((1 << tile.vector_log2) < tile.vector) ++tile.vector_log2;
  tile.n_segments = static_cast<std::int32_t>(rows.segments.size());
  const RowWindow window = window_of(rows);
  for (std::int32_t s = 0; s < tile.n_segments; ++s) {
    const Segment& segment = rows.segments[static_cast<std::size_t>(s)];
    auto& cells = tile.cells[s];
    cells.first = static_cast<std::int32_t>(segment.first);
    cells.is_fill = segment.is_fill;
    cells.pattern = segment.pattern;
    if (segment.is_fill) continue;
    cells.step = static_cast<std::int32_t>(segment.src_step);
    cells.origin = static_cast<std::int32_t>(segment.src_offset - window.first - segment.first * segment.src_step);
  }
  tile.low = window.first;
  tile.window = static_cast<std::int32_t>(window.n_bytes());
  const std::int64_t row_units = box.axes.back().extent;
  tile.row_units = Divisor<std::uint32_t>(static_cast<std::uint32_t>(row_units));

  Box outer = box;
  outer.axes.pop_back();
  Inside inside;
  const auto n_axes = static_cast<std::int32_t>(outer.axes.size());
  for (std::int32_t a = 0; a < n_axes; ++a) {
    inside.tile[a] = 1;
    inside.cut[a] = no_cut;
  }
  std::int32_t of_runs = n_axes - 1;
  if (is_flat(box)) {
    const Axis& axis = axis_of(outer, n_axes - 1);
    inside.tile[n_axes - 1] = std::min(axis.extent, std::max<std::int64_t>(1, shape.destination.tile));
    inside.cut[n_axes - 1] = 0;
    tile.run_rows = static_cast<std::int32_t>(inside.tile[n_axes - 1]);
    tile.row_src = source_step(axis);
    of_runs = n_axes - 2;
    if (tile.run_rows < axis.extent) of_runs = -1;  // a run that is cut is a tile
  }
  if (of_runs >= 0 && shape.source.tile > 1) {
    const Axis& axis = axis_of(outer, of_runs);
    inside.tile[of_runs] = std::min(axis.extent, shape.source.tile);
    inside.cut[of_runs] = 1;
    tile.n_runs = static_cast<std::int32_t>(inside.tile[of_runs]);
    tile.run_src = source_step(axis);
    tile.run_dst = destination_step(axis);
  }
  tile.frame = build_frame(outer, inside, 0);
  tile.rows = Divisor<std::uint32_t>(static_cast<std::uint32_t>(tile.run_rows));

  const std::int64_t step = tile.row_src.address < 0 ? -tile.row_src.address : tile.row_src.address;
  tile.reads_runs = tile.run_rows == 1 || (tile.row_src.slot == 0 && step > 0 && step <= 2 * window.n_bytes());
  const std::int64_t bytes = tile.reads_runs ? (tile.run_rows - 1) * step + window.n_bytes() : window.n_bytes();
  const std::int64_t pieces = (bytes + vector_bytes - box.unit + vector_bytes - 1) / vector_bytes;
  tile.n_reads = tile.reads_runs ? tile.n_runs : tile.n_runs * tile.run_rows;
  tile.read_pieces = Divisor<std::uint32_t>(static_cast<std::uint32_t>(pieces));
  tile.pitch = static_cast<std::int32_t>(pieces * vector_bytes);
  const std::int64_t written = (tile.run_rows * row_units + 2 * tile.vector - 2) / tile.vector;
  tile.write_pieces = Divisor<std::uint32_t>(static_cast<std::uint32_t>(written));

  tile.src_begin = box.src_offset + window.first;
  tile.src_end = box.src_offset + window.last;
  for (const Axis& axis : outer.axes) (src_bytes(axis) < 0 ? tile.src_begin : tile.src_end) += src_bytes(axis) * (axis.extent - 1);
  return tile;
}

}  // namespace crinkle::tile
