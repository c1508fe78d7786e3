// Numbers from text tables: a header line of names, then one line a record, as RFC 4180 has them.
//     x,y,"height, m"
//     12.5,7,301.25
// The delimiter is a comma, a semicolon or a tab: the one of the header line. Fields in quotes may hold delimiters, line ends and "" for a
// quote. Every line has as many fields as the header; empty lines at the end are none.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crinkle::tool {

enum class Missing { is_skipped, is_refused };

struct CsvColumns {
  std::vector<std::vector<double>> columns;  // one for each name that was asked for
  std::int64_t n_records = 0;                // kept
  std::int64_t n_skipped = 0;                // for a missing value in one of these columns: an empty field, NA, N/A, NaN, null or none
};

/// The columns of these names; others are only counted. `delimiter` 0: as the header shows. Throws bad_file naming the line, the column and
/// the text of what is no finite number, a line with more or fewer fields, a quote that does not end, a header without a name or with it
/// twice (listing the names there are), and missing values that are refused. Cost: one pass; 8 bytes a number.
CsvColumns read_csv(std::span<const std::byte> text, const std::string& path, const std::vector<std::string>& names, char delimiter = 0,
                    Missing missing = Missing::is_skipped);

}  // namespace crinkle::tool
