// What NetCDF asks of arrays, in files of NetCDF-3 and in those of NetCDF-4, which are HDF5.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/dataset.hpp"

namespace crinkle::tool::netcdf {

/// NetCDF has no bool: xarray writes bytes and says so in an attribute, and so is done here.
void take_for_bool(DatasetFacts& facts);
/// The way back. Throws unsupported for elements that NetCDF has no type for.
void fit_types(DatasetFacts& facts, const std::string& path);

/// Names of dimensions: each once, or again with the same length, and none that the array itself has.
std::vector<std::string> names_of_dimensions(const DatasetFacts& facts, std::vector<std::string>& notes);

}  // namespace crinkle::tool::netcdf
