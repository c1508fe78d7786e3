// Samples binned on a GPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "interpolate/bin_cells.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// bin() for a raster that has cells and fewer than 2^32 samples. Throws out_of_memory.
std::int64_t bin_on_gpu(const SamplePlanes& samples, const BinRaster& raster, std::span<const Statistic> statistics, std::span<double> out,
                        double nodata, Device device);

}  // namespace crinkle::interpolation
