// What a raster says of its place on the ground and of its bands, as it goes with an array whose axes are cut, flipped and exchanged.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool::geotiff {

struct Ground final : FormatExtras {
  RasterFacts raster;               // as it is of this array
  std::string path;                 // of the file whose tags, colours and units its bands have; "": none
  int page = 1;                     // of it
  std::vector<std::int64_t> bands;  // of that file, which are the bands of this array
};

inline const Ground* ground_of(const DatasetFacts& facts) { return dynamic_cast<const Ground*>(facts.ground.get()); }

/// That of the output `path`; null, and a note, where its axes are not band, y and x of the source.
std::shared_ptr<const FormatExtras> moved(const DatasetFacts& source, const OutputFacts& output, const std::string& path,
                                          std::vector<std::string>& notes);

/// "the place of a.tif on the ground (EPSG:25832), … stay behind: b.npy has no place for them".
std::string left_behind(const DatasetFacts& source, const std::string& path);

/// What its numbers mean that sums of them do not heed: nodata, scales; "" where there is nothing.
std::string not_heeded(const DatasetFacts& source);

/// That offsets of bands, which stay, are not those of sums whose weights add up to `of_weights`; "": there are none.
std::string offsets_in_sums(const DatasetFacts& source, double of_weights);

}  // namespace crinkle::tool::geotiff
