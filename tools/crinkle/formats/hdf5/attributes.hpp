// Attributes as JSON, and the names of axes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "formats/dataset.hpp"
#include "formats/hdf5/library.hpp"

namespace crinkle::tool::hdf5 {

/// Those of an object, without the ones that name axes, into facts.attributes and attribute_types; what has no place in JSON is noted. Of
/// NetCDF files a list of one number is a number.
void read_attributes(hid_t object, bool is_netcdf, DatasetFacts& facts);
/// Those of facts, for its array. What cannot be written is noted.
void write_attributes(hid_t object, bool is_netcdf, const DatasetFacts& facts, std::vector<std::string>& notes);

/// One attribute of text.
void write_text_attribute(hid_t object, const char* name, const std::string& text);

/// One name an axis, of labels or dimension scales; "" where there is none.
std::vector<std::string> axis_names(hid_t dataset, std::size_t rank);
/// The last word of an object's path.
std::string last_name(hid_t object);

bool has_attribute(hid_t object, const char* name);

}  // namespace crinkle::tool::hdf5
