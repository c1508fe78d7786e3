// NetCDF-3 files: classic, with 64-bit offsets, and CDF-5. Through libnetcdf.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "formats/dataset_format.hpp"

namespace crinkle::tool::netcdf {

/// Read by its first bytes, written under names that end in .nc3.
const DatasetFormat& format();

}  // namespace crinkle::tool::netcdf
