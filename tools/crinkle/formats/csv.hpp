// Numbers from text tables: a header line of names, then one line a record, as RFC 4180 has them.
//     x,y,"height, m"
//     12.5,7,301.25
// The delimiter is a comma, a semicolon, a tab or a bar: the one of the header line; blanks, any number of them, where it has none of
// these. Excel's line sep=; before the header says it, too. Fields in quotes may hold delimiters, line ends and "" for a quote. A name is
// found in capitals, too, where only one is meant then. A table whose first line is all numbers has columns called 0, 1, …, if these are
// what is asked for. Every line has as many fields as the header; empty lines are none. Lines that begin with # are comments: those before
// the header, of which the last one is the header itself where it names what is asked for and the line below does not; and those behind it
// that have another number of fields, or would have the # in a number.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/csv_words.hpp"

namespace crinkle::tool {

enum class Missing { is_skipped, is_refused };

/// Columns first … first + n − 1 are of values: a record counts where one of them is there; what is missing is NaN. All others are needed.
struct ValueColumns {
  std::size_t first = 0, n = 0;

  bool has(std::size_t column) const { return column >= first && column < first + n; }
  /// Whether a record counts that lacks these columns.
  bool is_enough(const std::vector<bool>& is_missing) const {
    std::size_t n_there = 0;
    for (std::size_t k = 0; k < is_missing.size(); ++k) {
      if (has(k)) n_there += is_missing[k] ? 0U : 1U;
      else if (is_missing[k]) return false;
    }
    return n == 0 || n_there > 0;
  }
};

struct CsvColumns {
  std::vector<std::vector<double>> columns;  // one for each name that was asked for
  std::int64_t n_records = 0;                // kept
  // For missing values in these columns (csv_words.hpp).
  std::int64_t n_skipped = 0;
  std::int64_t n_marked = 0;       // values that --missing names
  std::vector<std::string> notes;  // one line each, for a person
};

struct CsvRequest {
  std::vector<std::string> names;
  std::vector<std::string> options;  // which option says each name, for a person: --x
  char delimiter = 0;                // where the header has it; else, and for 0, as the header shows
  Missing missing = Missing::is_skipped;
  ValueColumns values;
  char decimal = '.';  // or a comma, which is then no delimiter unless the header has no other
  MissingMarks marks = {};
};

/// The columns of these names; others are only counted. Numbers too small for float64 are 0. Throws bad_file naming the line, the column
/// and the text of what is no finite number, a line with more or fewer fields, a quote that does not end, a header without a name or with
/// it twice (listing the names there are), and missing values that are refused. Cost: one pass; 8 bytes a number.
CsvColumns read_csv(std::span<const std::byte> text, const std::string& path, const CsvRequest& request);

/// Whether the header line names this column.
bool has_csv_column(std::span<const std::byte> text, const std::string& path, const std::string& name, char delimiter);
/// The names in the header line, for a person: "x, y, height".
std::string csv_names(std::span<const std::byte> text, const std::string& path, char delimiter);

}  // namespace crinkle::tool
