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

DistanceTiles rectangle_tiles(std::int64_t n_lines, std::int64_t n_alongs, std::int64_t pitch, Real type) {
  DistanceTiles all;
  Tile tile;
  tile.granule = static_cast<std::int32_t>(128 / bytes_of(type));
  tile.lines.step = pitch;
  tile.line_end = n_lines;
  tile.along_end = n_alongs;
  add(all, tile);
  return all;
}

DistanceTiles distance_tiles(PairForm form, std::int64_t n, Real type) {
  return form == PairForm::square ? rectangle_tiles(n, n, n, type) : distance_tiles(form, n, type, {0, n});
}

DistanceTiles distance_tiles(PairForm form, std::int64_t n, Real type, const PairLines& some) {
  DistanceTiles all;
  for (const auto& [part, lines] : parts_of(layout_of(form, n, type))) {
    ensure(part.i_begin == part.j_begin + part.gap);
    Tile tile;
    tile.granule = static_cast<std::int32_t>(128 / bytes_of(type));
    tile.lines = lines;
    if (is_of_lines(form)) tile.lines.first -= elements_before(form, n, some.first);
    tile.gap = part.gap;
    // The corner of the squares; an empty line costs less than a tile of its own.
    tile.along_begin = tile.line_begin = is_of_lines(form) ? some.first : part.j_begin;
    Tile beside = tile;  // what of a trapezoid is beyond its squares
    beside.shape = Tile::Shape::rectangle;
    if (lines.are_columns) {
      tile.shape = Tile::Shape::along_above;
      tile.line_end = is_of_lines(form) ? std::min(some.last, part.j_end) : part.j_end;
      const std::int64_t in_squares = (tile.line_end - tile.line_begin + Tile::side - 1) / Tile::side * Tile::side;
      tile.along_end = std::min(part.i_end, tile.along_begin + in_squares);
      beside.along_begin = tile.along_end;
      beside.along_end = part.i_end;
      beside.line_end = tile.line_end;
    } else {
      tile.shape = Tile::Shape::line_above;
      tile.line_end = is_of_lines(form) ? std::min(some.last, part.i_end) : part.i_end;
      tile.along_end = std::min(tile.line_end, part.j_end);
      beside.along_begin = part.j_begin;
      beside.along_end = tile.along_begin;
      beside.line_end = tile.line_end;
    }
    add(all, beside);
    add(all, tile);
  }
  return all;
}

}  // namespace crinkle::simplex
