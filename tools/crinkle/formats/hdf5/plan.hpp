// What is to be made, from what is wished for, and what refuses it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/hdf5/filters.hpp"

namespace crinkle::tool::hdf5 {

struct Plan {
  DatasetFacts facts;  // with its name in the file, chunks and units
  std::vector<Filter> filters;
  bool is_netcdf = false;
};

/// Throws bad_notation, unsupported and too_large.
Plan plan_for(const std::string& path, const DatasetName& name, const DatasetFacts& facts, const DatasetWish& wish);

/// Whether the array goes into a file that is there.
bool goes_into(const DatasetName& name, const DatasetWish& wish);
/// Throws where the file, or the array in it, is there and is not to be replaced, or cannot be made.
void check_place(const DatasetName& name, const Plan& plan, const DatasetWish& wish, Overwrite overwrite, const FileIdentity& input);

}  // namespace crinkle::tool::hdf5
