// Samples binned on a GPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "interpolate/bin_cells.hpp"
#include "interpolate/cuda/points.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// bin() for a raster that has cells and fewer than 2^32 samples; `out` is any memory that the device reaches. Throws out_of_memory.
std::int64_t bin_on_gpu(const SamplePlanes& samples, const BinRaster& raster, std::span<const Statistic> statistics, std::span<double> out,
                        double nodata, Device device);
/// The same of samples that lie there, all of weight 1.
std::int64_t bin_points(const CudaPoints& points, const BinRaster& raster, std::span<const Statistic> statistics, std::span<double> out,
                        double nodata, Device device);

}  // namespace crinkle::interpolation
