// What --header says of an array that is to become a GeoTIFF: the place of its cells, its bands, its number for no data.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "formats/facts.hpp"

namespace crinkle::tool {

/// Takes what a file of JSON says, in the words of `info --json` of a GeoTIFF: geotransform, crs_wkt, nodata, bands, scales; each may be
/// left out. The array is [y][x] or [band][y][x] and says nothing itself. Throws bad_notation and bad_shape.
void take_raster_header(const std::string& header, const std::string& output, ArrayFacts& facts);

}  // namespace crinkle::tool
