// The part of a raster that a map reads, so that a small map of a large raster takes little time and memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crinkle/resample.hpp"

namespace crinkle::tool {

struct CellBox {
  std::array<std::int64_t, 2> first{}, extents{};  // rows, columns
};

/// All cells that count, in the result's cells and in those beside them, of a raster of `in` rows and columns; all of them for maps that
/// are not affine, for splines, and along an axis where what lies beyond comes from the inside.
CellBox needed_cells(const Resampling& resampling, const Extents& out, const Extents& in);

/// The same map into the box.
CoordinateMap within(CoordinateMap map, const CellBox& box);

}  // namespace crinkle::tool
