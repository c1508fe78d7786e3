// Columns of values with gaps: each of them is of samples of its own, the records that have its value. Columns without gaps share theirs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "maps/sample_file.hpp"

namespace crinkle::tool {

/// How many values each column has.
std::vector<std::int64_t> values_of_columns(const SampleFile& samples);
/// The same of those whose weight is above 0, which alone count.
std::vector<std::int64_t> counting_of_columns(const SampleFile& samples);
bool has_gaps(const SampleFile& samples);
/// Says of which columns how many records have no value.
void note_gaps(const std::string& path, const SampleFile& samples);

/// Calls body(samples, first column) with all columns where there are no gaps, and else with each column by itself and the records that
/// have its value. What it throws then names the column. Throws bad_file for a column without a value.
void for_each_part(const SampleFile& samples, const std::string& path,
                   const std::function<void(const SampleFile& part, std::int64_t first_column)>& body);

/// As cross_validate() scores the columns together, of all parts; which samples predict is said by `scores`.
std::vector<Score> scores_of_parts(const SampleFile& samples, const std::string& path,
                                   const std::function<std::vector<Score>(const SampleFile& part)>& scores);

}  // namespace crinkle::tool
