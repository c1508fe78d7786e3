// A box as a move between pixels and planes of few channels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "crinkle/axis.hpp"
#include "tile/channel_tile.hpp"

namespace crinkle::tile {

/// The axes of a box around what a kernel moves at once, the destination's fastest first, without the axes number `a` and `b`; their items
/// in `n`. None where they are too many, or 2^31 items and more. Requires axes that count bytes.
std::optional<OuterAxes> outer_axes(const Box& box, std::ptrdiff_t a, std::ptrdiff_t b, std::int64_t& n);

/// None where it is no such move, or where its places are no multiples of 4 bytes. Requires a box that simplify() made.
std::optional<ChannelTile> build_channels(const Box& box);

}  // namespace crinkle::tile
