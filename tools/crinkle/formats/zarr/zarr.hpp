// Zarr stores on a disk, versions 2 and 3: directories in which every chunk of an array is a file, beside JSON that says what they are.
// The specifications are at zarr-specs.readthedocs.io: v2, and v3 with the codecs bytes, transpose, gzip, zstd, blosc, crc32c and
// sharding_indexed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "formats/dataset.hpp"

namespace crinkle::tool::zarr {

bool is_built();  // with its codecs
bool is_there(const DatasetName& name);
bool is_named(const std::string& file);  // by its ending, .zarr

std::unique_ptr<Dataset> open(const std::string& path, const DatasetName& name);
std::vector<DatasetNode> nodes(const DatasetName& name);
std::unique_ptr<NewDataset> begin(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish,
                                  Overwrite overwrite, const FileIdentity& input);
void check(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish, Overwrite overwrite,
           const FileIdentity& input);

}  // namespace crinkle::tool::zarr
