// The names of a new array's axes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/hdf5/library.hpp"

namespace crinkle::tool::hdf5 {

/// HDF5: labels, and dimension scales beside the array where there are coordinates. NetCDF: a dimension for every axis, one that is there
/// already where it has this length. Adds to `made` the paths of what it makes, to `notes` what it cannot.
void name_axes(hid_t file, hid_t dataset, const DatasetFacts& facts, bool is_netcdf, std::vector<std::string>& made,
               std::vector<std::string>& notes);

/// Makes the groups that a path lies in, as far as they are not there.
void make_groups(hid_t file, const std::string& inside, bool is_netcdf, std::vector<std::string>& made, const std::string& where);

/// "/a" and "b" of "/a/b".
std::string group_of(const std::string& inside);
std::string base_of(const std::string& inside);

}  // namespace crinkle::tool::hdf5
