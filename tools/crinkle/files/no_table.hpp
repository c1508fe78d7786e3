// Files that are given as tables of samples and are none.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace crinkle::tool {

/// Throws unsupported, saying what the file is and the way out, for rasters, pictures, volumes, packed files, Parquet, LAS, NetCDF, HDF5
/// and the like, UTF-16, and the .dbf and .shx beside a Shapefile.
void refuse_no_table(std::span<const std::byte> file, const std::string& path);

}  // namespace crinkle::tool
