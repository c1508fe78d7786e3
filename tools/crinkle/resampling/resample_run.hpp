// The options of crinkle resample, and the run on a device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "command_line/shared_options.hpp"
#include "crinkle/resample.hpp"
#include "maps/map_file.hpp"
#include "resampling/resample_map.hpp"
#include "running/work.hpp"

namespace crinkle::tool {

struct ResampleOptions {
  ResampleWords words;
  MapOptions map;
  RawInput raw;
  WorkOptions work;
  std::string input, output, by = "linear", dtype, window;
  std::optional<double> nodata;
  bool is_antialiased = false;
  std::optional<int> page;  // of a TIFF; left out: the first of a GeoTIFF, all of others

  /// Sets how elements are brought together. Throws bad_notation for another word.
  void set_kernel(Resampling& r) const;
  int page_of_map() const { return page.value_or(1); }

  Overwrite overwrite() const { return work.overwrite(); }
};

/// Whether numbers may leave the result's type: means of four or eight of the same type do not.
bool may_go_beyond(const ResampleOptions& options, bool is_of_another_type);

/// Notes that elements of the source are skipped, and what counts them.
void note_skipped(const Resampling& r);

/// An array of coordinates where a device reads it.
class CoordinateOnDevice {
 public:
  /// The request with its coordinates in the memory of the device, as long as this lives.
  Resampling on(Device device, Resampling r);

 private:
  DeviceMemory memory_;
};

/// --verify: byte for byte, and of a spline that it goes through the source's elements, too, but for roundings.
void verify_resampling(const Work& work, const Resampling& r, ConstBuffer from, ConstBuffer to, const std::string& path);

/// The resampling as --json describes it.
nlohmann::ordered_json described(const Resampling& r);

/// A GeoTIFF in; GeoTIFF, or what is written of any array, out. A cell of the result has data where the cell of the input has that its
/// centre lies in; it is then what resample() gives where all elements that count have data, and else the mean of the four around it that
/// do, with the weights of `linear`; of kernels that grow with the scale, of all that it covers, weighted by the antialiased `linear`
/// (`area`: as they are covered, wherever any has data). Throws what resample(), wanted_map() and Gdal throw; unsupported for types that
/// are not resampled, colours of a table by other than nearest, and splines where data are missing; bad_notation for a number that the
/// result's type does not hold as nodata.
void resample_raster(const ResampleOptions& options);

}  // namespace crinkle::tool
