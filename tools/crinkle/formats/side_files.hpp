// Side files stand beside a file and are read with it: overviews, masks, statistics, the place on the ground, types of a table's columns.
//
//     map.tif    map.tif.ovr  map.tif.msk  map.tif.aux.xml  map.tfw  map.wld  map.tab  map.aux  map_rpc.txt  …
//
// Readers, GDAL above all, take these for the file's whatever is in it. So an output replaces them, too, once it is under its name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crinkle::tool {

/// A file is replaced as a whole, or in part: then all side files but the overviews stay true.
enum class Replaced : std::uint8_t { all, a_part };

/// The files that are there and that readers take for those of the file `path`, which need not be there. A name that files of several
/// formats share (map.wld, map.aux) counts where what is in it is what it says, and no other picture or raster has it.
std::vector<std::string> side_files_of(const std::string& path, Replaced replaced = Replaced::all);
/// Files that would count, but that another picture or raster has, too.
std::vector<std::string> shared_side_files_of(const std::string& path);

/// Headers beside a raw file that say its shape to other readers, and that nobody can bring up to date: "map.hdr".
std::vector<std::string> headers_beside(const std::string& path);

}  // namespace crinkle::tool
