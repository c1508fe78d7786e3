// Boxes as one move whose axes are mapped one by one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "crinkle/axis.hpp"
#include "tile/axis_maps.hpp"

namespace crinkle::tile {

/// None where the boxes are no such move: they go to several buffers or come from more than 8, leave holes in the destination, fill with
/// several patterns, have too many axes or segments, or do not repeat what an axis says. Requires boxes that simplify() made, of which none
/// overlap in the destination. Ensures: for all units of all boxes the maps say what the box says.
std::optional<AxisMaps> build_axis_maps(Boxes boxes);

}  // namespace crinkle::tile
