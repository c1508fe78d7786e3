// What boxes have to be before they are put together again (build_axis_maps): each from one source, all in one unit, in few strides.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/axis.hpp"

namespace crinkle::tile {

using Counted = std::vector<std::int64_t>;

/// All boxes from one source each into one buffer, in one unit, at multiples of which it lies on both sides; whether that can be.
bool make_alike(Boxes& boxes);

/// The strides of what is copied, the destination's axes, the fastest first; boxes have no others then. Whether they are few and nest.
bool take_strides(Boxes& boxes, Counted& strides);

}  // namespace crinkle::tile
