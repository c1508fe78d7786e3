// --cell, --extent and --like of crinkle resample ask for other cells on the same ground.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "resampling/resample_map.hpp"

namespace crinkle::tool {

struct GroundMap {
  AffineMap map;    // from (row, column) of the result to those of the raster
  Extents extents;  // rows, columns
  Geotransform transform;
};

/// The cells of --like; or those of --cell, or `sizes` many, or else the raster's own, over --extent, or else over all of the raster, from
/// its corner on: as many as have their centres in there. Throws unsupported for a raster without a place, for a turned one where --like
/// does not say the cells, and for systems that differ; bad_notation for words that do not go together.
GroundMap ground_map(const ResampleWords& words, const RasterFacts& raster, const std::string& path, const Extents& sizes);

/// A raster of an array's cells over the ground of another one.
RasterFacts spread_over(const RasterFacts& other, std::int64_t rows, std::int64_t columns);

}  // namespace crinkle::tool
