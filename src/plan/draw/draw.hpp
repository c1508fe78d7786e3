// Pictures of rearrangements and tiles as self-contained SVG (Hawick and Playne, figure 7): every cell of the destination labelled with the
// k-index of the source element it holds and coloured by where that element lies in the source, which stands beside it; and one tile of a
// box, every access numbered in the order in which it is read and written. Nothing here touches data or a device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "crinkle/rearrangement.hpp"
#include "plan/tiling.hpp"

namespace crinkle::planning {

struct DrawOptions {
  std::int64_t max_cells = 4096;  // of all sources, and of all destinations; of a tile, accesses per side
  // How many indices of the slowest axis stand side by side before the next row begins, where that axis runs to the right (ranks 1, 3,
  // 5 …); 0: as many as read well.
  int columns_hint = 0;
  std::string title = {};
};

/// The sources and the destinations of `r`, cells in C order. Cell i of a destination shows k = Σ i_a · Π_{b>a} extent_b of its source
/// element, with a letter for its buffer where there are several; a hatched "·" is a fill, an empty cell is left as it was. Where
/// source and destination elements differ in size, both are drawn in pieces of the greatest common size. Axes alternate, the fastest to the
/// right, the next downwards.
/// Throws too_large beyond max_cells and, like steps(), where the map itself cannot be made. Cost: O(bytes) time and memory.
std::string draw(const Rearrangement& r, const DrawOptions& options = {});

/// Block `index` of the tiling of `box`: the source region, each access numbered step · threads + thread as it is read, and the destination
/// region as it is written, coloured by warp (hue) and step (lightness). Rows are stretches of equally spaced addresses.
/// Throws bad_shape for a block that does not exist, too_large beyond max_cells accesses.
std::string draw_tile(const Box& box, const Tiling& tiling, const DrawOptions& options = {}, std::uint32_t index = 0);

}  // namespace crinkle::planning
