// Maps as files: .npy and raw as any array is written, and GeoTIFF, whose cells are first laid out in a file of their own beside it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/interpolate.hpp"
#include "files/file_names.hpp"
#include "formats/sink.hpp"
#include "gdal/gdal.hpp"

namespace crinkle::tool {

/// A raster that knows where its first cell begins, exactly: first − step / 2 would be rounded.
struct MapRaster : Raster {
  std::array<double, 2> corner{};
};

/// The content of a map of extents [bands…][y][x].
struct MapContent {
  MapRaster raster;
  Extents extents;
  ElementType type;                // float32 or float64
  std::vector<std::string> names;  // of the values; layers of a raster in three dimensions are bands, too
  Crs crs;
  double nodata = 0;
  int threads = 0;  // that pack; 0: all
};

/// Refuses the name of a table, .csv, as that of a map.
void check_is_no_table(const std::string& output);

struct MapOptions {
  std::string compress;  // "": deflate

  void add_to(Command& c);
  /// Refuses names of files that cannot hold a map, and words on how a GeoTIFF is stored that are of other files, before anything is
  /// computed.
  void check(const std::string& input, const std::string& output, const DatasetWish& stored, InputIs is = InputIs::as_named) const;
  /// The map under construction; its cells are bytes() from data_offset() on. Throws as Sink::create and Gdal::begin_map do.
  std::unique_ptr<Sink> create(const std::string& output, const MapContent& content, Overwrite overwrite, const DatasetWish* stored) const;
  /// A GeoTIFF of cells [band][row][column], whose compression is the request's where --compress does not say one. Throws as create().
  std::unique_ptr<Sink> create_tiff(const std::string& output, MapRequest request, Overwrite overwrite) const;
};

}  // namespace crinkle::tool
