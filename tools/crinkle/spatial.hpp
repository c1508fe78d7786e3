// Where the axes of a result come from, for formats that know where their voxels lie (NIfTI).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/rearrangement.hpp"
#include "formats/facts.hpp"

namespace crinkle::tool {

/// Per output axis the source axis, and start and step in its indices; −1 for axes that are split, merged, new or taken by an index array.
/// A rolled axis keeps its place: most of its voxels do not know where they were.
SpatialChange spatial_change(const Rearrangement& r);

}  // namespace crinkle::tool
