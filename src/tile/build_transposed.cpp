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
  tile.frame = build_frame(box, inside, 0, shape.supertile);
  tile.vector = 16 / box.unit;
  tile.vector_log2 = 4 - tile.frame.unit_log2;
  const Run x = run_of(shape.source, inside), y = run_of(shape.destination, inside);
  const std::int64_t squares = (x.units / tile.vector) * (y.units / tile.vector);
  tile.threads = static_cast<std::int32_t>(std::clamp<std::int64_t>((squares + 31) / 32 * 32, 32, shape.threads));
  const auto walk = [&](Walk& side, const Run& run, std::int32_t run_cut, const Run& rows, std::int64_t n_rows) {
    side.n_pieces = static_cast<std::int32_t>(run.units / tile.vector);
    side.run_units = static_cast<std::int32_t>(run.each);
    side.run_cut = run_cut;
    side.n_rows = static_cast<std::int32_t>(n_rows);
    side.rows_each = static_cast<std::int32_t>(rows.each);
    side.rows_cut = 1 - run_cut;
    side.share_among(tile.threads, 8);
  };
  walk(tile.read, x, 0, y, y.units / tile.vector);
  walk(tile.write, y, 1, x, x.units);
  for (std::int32_t i = 0; i < shape.destination.count; ++i)
    tile.rows.append(inside.tile[shape.destination.axis[i]], source_step(axis_of(box, shape.destination.axis[i])));
  for (std::int32_t i = 0; i < shape.source.count; ++i)
    tile.write.rows.append(inside.tile[shape.source.axis[i]], destination_step(axis_of(box, shape.source.axis[i])));
  tile.mask = static_cast<std::int32_t>(common_alignment(8, y.units / tile.vector)) - 1;
  return tile;
}

}  // namespace crinkle::tile
