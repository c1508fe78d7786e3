// Samples and targets from files, and the raster of a map, as the options of interpolate and grid name them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command_line/options.hpp"
#include "crinkle/interpolate.hpp"
#include "formats/source.hpp"
#include "maps/map_file.hpp"

namespace crinkle::tool {

struct SampleFile {
  std::unique_ptr<Source> source;
  int n_dimensions = 2;
  std::int64_t n = 0, n_columns = 0;
  std::vector<double> places, values,
      weights;                           // [n][n_dimensions], [n][n_columns], NaN where there is none (sample_columns.hpp), [n] or none
  std::vector<std::string> value_names;  // [n_columns]
  bool is_named_in_degrees = false;      // the columns of the places are called longitude or latitude
  Crs crs;                               // of the places
  bool is_crs_taken = false;             // neither the file nor --from-crs says it

  Samples samples() const;  // requires values without gaps
};

enum class Values : std::uint8_t { are_needed, are_optional };  // where none are named a sample has the value 0, called "samples"

struct SampleOptions {
  std::string input, layer, x, y, z, values, weight, delimiter, decimal = ".", missing, crs, from_crs;
  bool is_strict = false;

  void add_to(Command& c);
  /// A text table; an array [n][columns] of numbers, whose columns are named by their own: 0 and 1 are x and y, the last is the value
  /// unless others are named; or a layer of points. A record is a sample where it has a place, a weight and one value at least. Places are
  /// brought to `of_map` where that is known, or else to --crs. Says on standard error how many records were skipped, and where places were
  /// brought. Throws what Source::open, read_csv, check_places and Gdal throw, and bad_notation and bad_shape for columns that are not
  /// there.
  SampleFile open(const Crs& of_map, Values needed = Values::are_needed) const;
  /// Places alone, of a file of targets, in the system of `samples`.
  SampleFile open_targets(const std::string& path, const std::string& its_layer, const SampleFile& samples) const;

 private:
  enum class Role { samples, targets };  // targets have neither values nor weights
  std::vector<std::string> names_of_values(std::span<const std::byte> text, const std::string& path) const;
  /// Reads one file, in the system that it or --from-crs names.
  SampleFile read(const std::string& path, const std::string& its_layer, Role role, Values needed) const;
};

struct RasterOptions {
  double cell = 0;
  std::string extent, like;

  void add_to(Command& c);
  bool is_given() const { return cell != 0 || !extent.empty() || !like.empty(); }
  /// The system of --like.
  Crs crs() const;
  /// Refuses options that do not go together.
  void check() const;
  /// Refuses a map without cells. `or_else`: what else may be given.
  void check_cell(const std::string& or_else = "") const;
  /// Refuses an output that is the file of --like itself.
  void check_output(const std::string& output, Overwrite overwrite) const;
  /// The cells of --like; or the extent, or else the samples' own, in cells. Throws bad_notation, what raster_over and Gdal throw.
  MapRaster raster(const SampleFile& samples) const;
};

/// The output's axes: [columns] where there are several, then [z][y][x], z in three dimensions only.
Extents extents_of(const Raster& raster, int n_dimensions, std::int64_t n_columns);

}  // namespace crinkle::tool
