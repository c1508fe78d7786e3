// Kernels of the library that take as a parameter what those compiled for a plan have as constants (compiled.hpp): the first block, the
// sources, the destination, a table, and the tile or the maps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/channel_tile.hpp"

namespace crinkle {

const void* mapped_kernel(int unit);                        // tile::FewMaps
const void* taken_kernel(int unit, bool is_wide);           // tile::TakenTile of vectors of 16 bytes, or of a unit
const void* picked_kernel();                                // tile::PickedTile
const void* channels_kernel(int channels, bool to_planes);  // tile::ChannelTile of single bytes, vectors of 16, forwards; 3 or 4 channels

}  // namespace crinkle
