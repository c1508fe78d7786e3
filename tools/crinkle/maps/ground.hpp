// Places of a raster's cells on the ground, and maps between rasters of one reference system.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "crinkle/resample.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {

/// Cells on the ground: cell (column, row) spans corner + (column, row) · step to one step further; rows go south where step[1] < 0.
struct CellGrid {
  std::array<std::int64_t, 2> cells{};
  std::array<double, 2> corner{}, step{};
};
/// Throws unsupported for a raster that is turned against x or has no place on the ground.
CellGrid grid_of(const RasterFacts& raster, const std::string& path);

/// How a raster without a transform says its place, which is not used; "" where it does not.
std::string place_otherwise(const RasterFacts& raster);

bool is_turned_against_x(const Geotransform& t);
Geotransform transform_of(const CellGrid& grid);

/// From (row, column) of cells that lie as `to` says to those of `from`. Its size is that of the places on the ground, in cells, so that
/// cells that lie on each other keep their bits. Throws unsupported where the cells of `from` have no area.
AffineMap map_between(const Geotransform& to, const Geotransform& from);
/// The place of cells whose (row, column) a map leads to those of a raster.
Geotransform carried(const Geotransform& raster, const AffineMap& map);

}  // namespace crinkle::tool
