// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "gdal/gdal.hpp"

namespace crinkle::tool::geo {

/// These do what Gdal::raster, Gdal::read_cells, Gdal::open_cells, Gdal::read_mask and Gdal::begin_map say.
RasterFacts read_raster(const std::string& path, int page);
void read_cells(const CellRequest& request, Real as, std::span<std::byte> into);
std::unique_ptr<RasterCells> open_cells(const std::string& path, int page);
void read_mask(const CellRequest& request, std::span<std::uint8_t> into);
std::unique_ptr<MapWriter> begin_map(const std::string& path, const MapRequest& request);

}  // namespace crinkle::tool::geo
