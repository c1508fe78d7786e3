// The words of crinkle resample choose a map, axes and a shape, and this says where the voxels or cells of the result then lie.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crinkle/resample.hpp"
#include "formats/source.hpp"
#include "gdal/gdal.hpp"
#include "words/stencil_axes.hpp"

namespace crinkle::tool {

struct ResampleWords {
  std::string zoom, size, spacing, affine, coordinates, centre, axes, boundary, keep = "edges", extent, like;
  std::optional<double> rotate, radius, cell;
  bool is_polar = false, is_log_polar = false, is_inverse = false;

  bool is_on_ground() const { return cell || !extent.empty() || !like.empty(); }
};

/// A map from a file's array to a result of these extents; what a field of coordinates is made of lasts as long as this.
struct WantedMap {
  CoordinateMap map;
  std::vector<int> axes, destination_axes;
  Extents extents;  // of the result
  std::vector<Faces> boundary;
  SpatialChange change;                   // of the axes of a volume
  std::optional<Geotransform> transform;  // of the cells of a raster
  std::unique_ptr<Source> file;
  std::vector<double> numbers;
};

/// Throws bad_notation for words that say none or several maps, or do not go together; what the makers of maps throw. `raster`: where the
/// array's last two axes lie, if they do.
WantedMap wanted_map(const ResampleWords& words, const ArrayFacts& facts, const RasterFacts* raster = nullptr);

}  // namespace crinkle::tool
