// The cells of a raster file as they are computed with, and what the file says beside them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/file.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {

/// What a page of the file says and the output does not, in a line each.
std::vector<std::string> notes_of(const RasterFacts& raster, int page, const std::string& output);

/// The cells, [band][row][column], NaN where they have no data: where they are `nodata`, where a mask says so, and in all bands where a
/// band that is alpha is 0. Returns how many those are. Throws as Gdal::read_cells does.
template <class T>
std::int64_t read_cells(const Gdal& geographic, const CellRequest& request, const RasterFacts& raster, std::optional<double> nodata,
                        Mapping& cells);

}  // namespace crinkle::tool
