// What a field of a text table says: a number, or that there is none.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crinkle::tool {

/// Whether a text says that there is no value, in words that programs write: none at all, NA, <NA>, NaN, -nan, NaT, null, none, - or ?, and
/// the errors of spreadsheets, as #N/A and #DIV/0!.
bool is_word_for_missing(std::string_view text);

/// The number that a text is, infinite beyond float64; none where it is no number. Its decimals follow `decimal`, a point or a comma.
std::optional<double> number_in(std::string_view text, char decimal);

/// Whether a text is a whole number beyond 2^53, of which float64 holds some alone.
bool is_beyond_2_to_53(std::string_view text);

/// Says what is wrong with a text that is no finite number.
std::string fault_of(std::string_view text, char decimal);

/// What stands for a missing value in columns of values, as -999 does: numbers, however they are written, and texts.
struct MissingMarks {
  std::vector<double> numbers;
  std::vector<std::string> texts;

  bool is_one(double number) const { return std::find(numbers.begin(), numbers.end(), number) != numbers.end(); }
  bool is_one(std::string_view text, std::optional<double> number) const;  // which the text is, if it is one
};
MissingMarks missing_marks(const std::vector<std::string>& words);

}  // namespace crinkle::tool
