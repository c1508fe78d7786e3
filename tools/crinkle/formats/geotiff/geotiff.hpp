// GeoTIFF by GDAL, whose module is loaded when a file needs it: axes band y x, or y x of one band.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "formats/dataset.hpp"

namespace crinkle::tool::geotiff {

/// Page `page`, from 1 on, or the first where none is said: 0. Throws as Gdal::raster does; unsupported, naming the package, where this
/// build has no GDAL.
std::unique_ptr<Dataset> open(const std::string& path, const std::string& file, int page);

/// Whether an array of these facts has a place on the ground, so that a TIFF of it is a GeoTIFF.
inline bool holds(const DatasetFacts& facts) { return facts.ground != nullptr; }

std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                                  const FileIdentity& input);
void check(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish);

}  // namespace crinkle::tool::geotiff
