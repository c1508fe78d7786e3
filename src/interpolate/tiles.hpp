// Tiles of a raster's cells that grow by halves to about squares or cubes, whatever the steps are. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace crinkle::interpolation {

/// The axis along which a tile of `size` cells, of these lengths, is shortest and not yet as long as the raster; 3 where there is none.
template <class Counts, class Extents>
std::size_t shortest_axis(const Counts& size, const Extents& extents, const double (&lengths)[3]) {
  std::size_t shortest = 3;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 3; ++a) {
    const double length = static_cast<double>(size[a]) * lengths[a];
    if (size[a] >= extents[a] || !(length < least)) continue;
    least = length;
    shortest = a;
  }
  return shortest;
}

}  // namespace crinkle::interpolation
