// The plain meaning of every k-index map, on lists of cells: what kindex.hpp is compared with. Axis 0 is the fastest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/kindex.hpp"

namespace crinkle::reference {

using Cell = std::vector<std::int64_t>;  // [axis], the index on each

/// All cells in the order of their k.
inline std::vector<Cell> cells_of(const Cell& extents) {
  std::vector<Cell> cells = {Cell(extents.size(), 0)};
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    std::vector<Cell> longer;
    for (std::int64_t i = 0; i < extents[axis]; ++i)
      for (Cell cell : cells) {
        cell[axis] = i;
        longer.push_back(cell);
      }
    cells = longer;
  }
  return cells;
}

inline std::int64_t k_of(const Cell& extents, const Cell& cell) {
  std::int64_t k = 0;
  for (std::size_t axis = extents.size(); axis-- > 0;) k = k * extents[axis] + cell[axis];
  return k;
}

/// Where a walker ends who goes |distance| steps of one cell; -1 outside.
inline std::int64_t walk(std::int64_t i, std::int64_t extent, std::int64_t distance, Boundary boundary) {
  std::int64_t way = distance < 0 ? -1 : 1;
  for (std::int64_t step = distance < 0 ? -distance : distance; step > 0; --step) {
    i += way;
    if (i >= 0 && i < extent) continue;
    if (boundary == Boundary::open) return -1;
    if (boundary == Boundary::periodic) i = i < 0 ? extent - 1 : 0;
    if (boundary == Boundary::clamped) i -= way;
    if (boundary == Boundary::symmetric) {
      i -= way;
      way = -way;
    }
    if (boundary == Boundary::reflecting) {
      way = -way;
      i = extent == 1 ? 0 : i + 2 * way;
    }
  }
  return i;
}

/// source[kc]: the cell that a crinkle puts at kc. The phases' cells are listed one phase after the other.
inline std::vector<std::int64_t> crinkled(const Cell& extents, std::size_t axis, std::int64_t step, Placement placement) {
  std::int64_t unit = 1, rows = 1;
  for (std::size_t a = 0; a < extents.size(); ++a) (a < axis ? unit : rows) *= a == axis ? 1 : extents[a];
  const bool is_global = placement == Placement::global;
  std::vector<std::int64_t> source;
  for (std::int64_t block = 0; block < (is_global ? 1 : rows); ++block)
    for (std::int64_t phase = 0; phase < step; ++phase)
      for (std::int64_t row = is_global ? 0 : block; row < (is_global ? rows : block + 1); ++row)
        for (std::int64_t i = phase; i < extents[axis]; i += step)
          for (std::int64_t low = 0; low < unit; ++low) source.push_back((row * extents[axis] + i) * unit + low);
  return source;
}

}  // namespace crinkle::reference
