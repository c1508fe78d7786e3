// What crinkle resample was asked for, and the run on a device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "crinkle/resample.hpp"
#include "maps/map_file.hpp"
#include "resampling/resample_map.hpp"
#include "running/work.hpp"

namespace crinkle::tool {

struct ResampleOptions {
  ResampleWords words;
  MapOptions map;
  WorkOptions work;
  std::string input, output, by = "linear", dtype;
  std::optional<double> nodata;

  Overwrite overwrite() const { return work.overwrite(); }
};

/// Whether numbers may leave the result's type: means of four or eight of the same type do not.
bool may_go_beyond(const ResampleOptions& options, bool is_of_another_type);

/// An array of coordinates where a device reads it.
class CoordinateOnDevice {
 public:
  /// The request with its coordinates in the memory of the device, as long as this lives.
  Resampling on(Device device, Resampling r);

 private:
  DeviceMemory memory_;
};

/// As resample(), of arrays in the host's memory.
void resample_on(Device device, Resampling r, ConstBuffer from, Buffer to, Executor& executor);

/// A GeoTIFF in; GeoTIFF, or what is written of any array, out. A cell of the result has data where the cell of the input has that its
/// centre lies in; it is then what resample() gives where all elements that count have data, and else the mean of the four around it that
/// do, with the weights of `linear`. Returns what was done. Throws what resample(), wanted_map() and Gdal throw; unsupported for types that
/// are not resampled, colours of a table by other than nearest, and splines where data are missing; bad_notation for a number that the
/// result's type does not hold as nodata.
Resampling resample_raster(const ResampleOptions& options, Device device);

}  // namespace crinkle::tool
