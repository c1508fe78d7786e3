// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/ensure.hpp"
#include "pairs/cuda/pairs.hpp"
#include "tile/triangle_parts.hpp"

namespace crinkle::simplex {
namespace {

using Tile = tile::DistanceTile;

void add(DistanceTiles& all, Tile tile) {
  if (tile.line_begin >= tile.line_end || tile.along_begin >= tile.along_end) return;
  tile.prepare();
  all.push_back(tile);
}

}  // namespace

DistanceTiles distance_tiles(PairForm form, std::int64_t n, Real type) {
  DistanceTiles all;
  Tile tile;
  tile.granule = static_cast<std::int32_t>(128 / bytes_of(type));
  if (form == PairForm::square) {
    tile.lines.step = n;
    tile.line_end = tile.along_end = n;
    add(all, tile);
    return all;
  }
  for (const auto& [part, lines] : parts_of(layout_of(form, n, type))) {
    ensure(part.i_begin == part.j_begin + part.gap);
    tile.lines = lines;
    tile.gap = part.gap;
    tile.along_begin = tile.line_begin = part.j_begin;  // the corner of the squares; an empty line costs less than a tile of its own
    if (lines.are_columns) {
      tile.shape = Tile::Shape::along_above;
      tile.line_end = part.j_end;
      const std::int64_t in_squares = (tile.line_end - tile.line_begin + Tile::side - 1) / Tile::side * Tile::side;
      tile.along_end = std::min(part.i_end, tile.along_begin + in_squares);
      Tile beside = tile;  // what of a trapezoid is beyond its squares
      beside.shape = Tile::Shape::rectangle;
      beside.along_begin = tile.along_end;
      beside.along_end = part.i_end;
      add(all, beside);
    } else {
      tile.shape = Tile::Shape::line_above;
      tile.line_end = part.i_end;
      tile.along_end = part.j_end;
    }
    add(all, tile);
  }
  return all;
}

}  // namespace crinkle::simplex
