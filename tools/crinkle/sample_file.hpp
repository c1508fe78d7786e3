// Samples and targets from files, and the raster of a map, as the options of interpolate and grid name them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crinkle/interpolate.hpp"
#include "formats/source.hpp"
#include "options.hpp"

namespace crinkle::tool {

struct SampleFile {
  std::unique_ptr<Source> source;
  int n_dimensions = 2;
  std::int64_t n = 0, n_columns = 0;
  std::vector<double> places, values, weights;  // [n][n_dimensions], [n][n_columns], [n] or none

  Samples samples() const;
};

struct SampleOptions {
  std::string input, x, y, z, values, weight, delimiter;
  bool is_strict = false;

  void add_to(Command& c);
  /// A text table, or an array [n][columns] of float32 or float64, whose columns are named by their numbers: 0 and 1 are x and y, the last
  /// is the value unless others are named. Says on standard error how many records were skipped. Throws what Source::open and read_csv
  /// throw, and bad_notation and bad_shape for columns that are not there.
  SampleFile open() const;
  /// Places alone, of a file of targets.
  SampleFile open_places(const std::string& path) const;

 private:
  SampleFile open(const std::string& path, const std::vector<std::string>& value_names, const std::string& weight_name) const;
};

struct RasterOptions {
  double cell = 0;
  std::string extent;

  void add_to(Command& c);
  /// The extent, or else the samples' own. Throws bad_notation, and what raster_over throws.
  Raster raster(const SampleFile& samples) const;
};

/// The output's axes: [columns] where there are several, then [z][y][x], z in three dimensions only.
Extents extents_of(const Raster& raster, int n_dimensions, std::int64_t n_columns);

/// "a,b,c" in parts.
std::vector<std::string> parts_of(const std::string& list);

}  // namespace crinkle::tool
