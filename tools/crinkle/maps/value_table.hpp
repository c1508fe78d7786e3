// Values at places as text. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "maps/sample_file.hpp"

namespace crinkle::tool {

/// A header line, and a line a target: its place and the value of each column, nothing where that is NaN. values: [names][targets].
template <class T>
std::string table_of(const SampleFile& targets, const std::vector<std::string>& names, const std::vector<T>& values);

}  // namespace crinkle::tool
