// TIFF and BigTIFF: stacks of pictures as arrays with axes, and GeoTIFF. A file whose first picture has one of GeoTIFF's or GDAL's tags is
// read by GDAL (geotiff/), any other by libtiff. What is in a file has a name: "stack.tif:/page3" is one picture, "many.ome.tif:/image2"
// one of several images of an OME-TIFF.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/dataset.hpp"

namespace crinkle::tool::tiff {

bool is_built();  // with libtiff
bool is_there(const DatasetName& name);
bool is_named(const std::string& file);  // by its ending, .tif or .tiff

std::unique_ptr<Dataset> open(const std::string& path, const DatasetName& name);
std::vector<DatasetNode> nodes(const DatasetName& name);
std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                  Overwrite overwrite, const FileIdentity& input);
void check(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input);

/// Whether the first picture of a TIFF has a tag of GeoTIFF's or GDAL's: a place on the ground, a number for no data, names of bands.
bool is_geographic(const std::string& file);

/// What is asked for in a file: picture or image number N, counted from 1.
struct Part {
  std::int64_t page = 0, image = 0;  // 0: not said
};
/// Of "/page3" and "/image2"; throws bad_notation for other words.
Part part_of(const std::string& path, const DatasetName& name);

/// By libtiff; what they throw is said at those above. A build without it refuses.
std::unique_ptr<Dataset> open_stack(const std::string& path, const DatasetName& name);
std::unique_ptr<NewDataset> begin_stack(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
                                        const FileIdentity& input);
void check_stack(const std::string& path, const DatasetFacts& facts, const DatasetWish& wish);

}  // namespace crinkle::tool::tiff
