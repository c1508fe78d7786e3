// Tiles of rows: long runs as they lie in memory, short rows of segments through shared memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/tiling_rows.hpp"

#include <algorithm>

namespace crinkle {
namespace {

using tile::Kind;

constexpr std::int64_t segmented_tile_bytes = 32 << 10;
constexpr std::int64_t row_steps = 4;  // pieces of a row per thread

// More loads under way at once are slower.
constexpr std::int64_t row_bytes_under_way = 80 << 10;
constexpr std::int64_t block_shared_bytes = 1 << 10;  // that every block takes of a worker's

bool copies_units(const tile::Segment& s, std::int64_t unit) { return s.is_fill || s.src_step == 0 || length_of(s.src_step) == unit; }

bool are_copied(const tile::Rows& rows) {
  return std::all_of(rows.segments.begin(), rows.segments.end(), [&](const tile::Segment& s) { return copies_units(s, rows.box.unit); });
}

}  // namespace

tile::Shape row_shape(const Box& box, const Machine& machine, std::int32_t alignment, InABlock in_a_block) {
  tile::Shape shape;
  shape.kind = Kind::rows;
  shape.alignment = alignment;
  const std::int64_t pieces = tile::row_pieces(box, alignment), wanted = row_steps * std::min(128, machine.threads_block);
  // Rows whole, several together, or cut evenly; as many threads as have work in every step.
  const std::int64_t n_parts = std::max<std::int64_t>(1, (pieces + wanted / 2) / wanted);
  shape.destination.tile = ceil_divide(ceil_divide(pieces, n_parts), 8) * 8;
  const std::int64_t n_next = box.axes.size() > 1 ? box.axes[box.axes.size() - 2].extent : 1;
  shape.source.tile = in_a_block == InABlock::one_row ? 1 : evenly(n_next, std::max<std::int64_t>(1, wanted / pieces));
  const std::int64_t together = std::min(pieces, shape.destination.tile) * shape.source.tile;
  const std::int64_t warps = ceil_divide(together, 32 * row_steps);
  shape.threads = static_cast<std::int32_t>(std::min<std::int64_t>(32 * warps, std::min(256, machine.threads_block)));
  const std::int64_t n_blocks = std::max<std::int64_t>(1, row_bytes_under_way / (16 * row_steps * shape.threads));
  const std::int64_t share = machine.shared_bytes_worker / n_blocks / 128 * 128 - block_shared_bytes;
  shape.pace_bytes = static_cast<std::int32_t>(std::clamp<std::int64_t>(share, 0, machine.shared_bytes_block));
  return shape;
}

bool turns_whole_vectors(const Box& box) {
  const Axis& row = box.axes.back();
  const auto fits = [](std::int64_t n) { return n % vector_bytes == 0; };
  if (row.src_stride != -box.unit || row.dst_stride != box.unit || !fits(box.dst_offset) || !fits(box.src_offset + box.unit)) return false;
  return fits(row.extent * box.unit) && std::all_of(box.axes.begin(), box.axes.end() - 1, [&](const Axis& a) {
           return (a.src_counts != Counts::bytes || fits(a.src_stride)) && (a.dst_counts != Counts::bytes || fits(a.dst_stride));
         });
}

namespace {

/// The shape of short rows whose bytes, as they lie in the source, are so many.
tile::Shape segmented_shape(const tile::Rows& rows, const Machine& machine, std::int32_t alignment, std::int64_t tile_bytes) {
  tile::Shape shape;
  shape.kind = Kind::segmented;
  shape.alignment = alignment;
  shape.threads = std::min(256, machine.threads_block);
  const Box& box = rows.box;
  const std::size_t n = box.axes.size();
  const std::int64_t row_bytes = box.axes.back().extent * box.unit;
  const std::int64_t bytes = std::max(row_bytes, tile::window_of(rows).n_bytes());
  std::int64_t room = std::max<std::int64_t>(1, tile_bytes / bytes);
  shape.destination.tile = shape.source.tile = 1;
  if (n < 2) return shape;
  const Axis& next = box.axes[n - 2];
  constexpr std::int64_t most_steps = 8;  // of a thread, one vector each: rows that lie apart take two vectors or more
  if (next.dst_counts != Counts::bytes || next.dst_stride != row_bytes) {
    room = std::min(room, std::max<std::int64_t>(1, most_steps * shape.threads / (bytes / 16 + 2)));
    shape.source.tile = evenly(next.extent, room);
    return shape;
  }
  shape.destination.tile = evenly(next.extent, room);
  room /= next.extent;
  if (n > 2 && room > 1) shape.source.tile = evenly(box.axes[n - 3].extent, room);
  return shape;
}

}  // namespace

tile::Shape segmented_shape(const tile::Rows& rows, const Machine& machine, std::int32_t alignment) {
  tile::Shape shape = segmented_shape(rows, machine, alignment, segmented_tile_bytes);
  // Rows that lie apart in the source take whole vectors each there.
  for (std::int64_t bytes = segmented_tile_bytes / 2; bytes >= vector_bytes; bytes /= 2) {
    if (!tile::can_segment(rows, shape) || can_segment(rows, shape, machine)) break;
    shape = segmented_shape(rows, machine, alignment, bytes);
  }
  return shape;
}

bool can_segment(const tile::Rows& rows, const tile::Shape& shape, const Machine& machine) {
  return tile::can_segment(rows, shape) && fits(tile::build(rows, shape), machine);
}

bool goes_in_rows(const tile::Rows& rows, const Machine& machine) {
  return are_copied(rows) || can_segment(rows, segmented_shape(rows, machine, 16), machine);
}

tile::Shape choose_shape(const tile::Rows& rows, const Machine& machine, std::int32_t alignment) {
  const tile::Shape segmented = segmented_shape(rows, machine, alignment);
  const bool is_copied = are_copied(rows) && rows.box.axes.back().extent * rows.box.unit >= row_copy;
  if ((!is_copied || rows.box.unit >= least_segmented_unit) && can_segment(rows, segmented, machine)) return segmented;
  return row_shape(rows.box, machine, alignment);
}

Tiling choose_tile(const tile::Rows& rows, const Machine& machine, std::int32_t alignment) {
  const tile::Shape shape = choose_shape(rows, machine, alignment);
  return {shape, tile::build(rows, shape)};
}

}  // namespace crinkle
