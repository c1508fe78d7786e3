// The aligned tile from its shape: two runs of whole vectors without a common axis.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/ensure.hpp"
#include "tile/build.hpp"
#include "tile/groups.hpp"

namespace crinkle::tile {

bool can_transpose(const Box& box, const Shape& shape) {
  if (shape.alignment < 16 || shape.source.count == 0 || shape.destination.count == 0) return false;
  for (std::int32_t i = 0; i < shape.source.count; ++i)
    if (shape.destination.holds(shape.source.axis[i]) || axis_of(box, shape.source.axis[i]).dst_counts != Counts::bytes) return false;
  if (!is_contiguous_source(box, shape.source) || !is_contiguous_destination(box, shape.destination)) return false;
  const Box turned = turned_forwards(box, shape.source);
  const Inside inside = inside_of(turned, shape);
  return source_alignment(turned, shape.source, inside, 16) == 16 && destination_alignment(turned, shape.destination, inside, 16) == 16;
}

TransposedTile build_transposed(const Box& original, const Shape& shape) {
  ensure(can_transpose(original, shape));
  const Box box = turned_forwards(original, shape.source);
  const Inside inside = inside_of(box, shape);
  TransposedTile tile;
  tile.frame = build_frame(box, inside, 0);
  tile.vector = 16 / box.unit;
  tile.vector_log2 = 4 - tile.frame.unit_log2;
  const Run x = run_of(shape.source, inside), y = run_of(shape.destination, inside);
  const auto walk = [&](Walk& side, const Run& run, const Run& rows, std::int64_t n_rows) {
    side.n_pieces = static_cast<std::int32_t>(run.units / tile.vector);
    side.run_units = static_cast<std::int32_t>(run.each);
    side.n_rows = static_cast<std::int32_t>(n_rows);
    side.rows_each = static_cast<std::int32_t>(rows.each);
    side.share_among(tile.threads, 8);
  };
  const auto walk_with = [&](std::int32_t threads) {
    tile.threads = threads;
    tile.read = {};
    tile.write = {};
    walk(tile.read, x, y, y.units / tile.vector);
    walk(tile.write, y, x, x.units);
  };
  // Four vectors a thread, or eight where every thread has a share in tables of rows; of about so many threads those of whom the fewest
  // stand idle.
  const std::int64_t vectors = x.units * (y.units / tile.vector), each = shape.source.count + shape.destination.count > 2 ? 8 : 4;
  const auto most = static_cast<std::int32_t>(std::clamp<std::int64_t>((vectors / each + 31) / 32 * 32, 32, shape.threads));
  const auto slots = [&](std::int32_t threads) {
    walk_with(threads);
    const std::int64_t n = std::int64_t{threads} * (tile.read.n_steps * tile.vector + tile.write.n_steps);
    return (tile.known() & one_run) != 0 ? n : 5 * n / 4;
  };
  std::int32_t best = most;
  std::int64_t fewest = slots(most);
  for (std::int32_t threads = most - 32; threads >= std::max(32, most / 2); threads -= 32) {
    const std::int64_t n = slots(threads);
    if (n < fewest) best = threads, fewest = n;
  }
  walk_with(best);
  for (std::int32_t i = 0; i < shape.destination.count; ++i)
    tile.rows.append(inside.tile[shape.destination.axis[i]], source_step(axis_of(box, shape.destination.axis[i])));
  for (std::int32_t i = 0; i < shape.source.count; ++i)
    tile.write.rows.append(inside.tile[shape.source.axis[i]], destination_step(axis_of(box, shape.source.axis[i])));
  tile.skew = (tile.vector * tile.write.n_pieces) % 2 == 0 ? 1 : 0;
  return tile;
}

}  // namespace crinkle::tile
