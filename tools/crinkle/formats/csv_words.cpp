// SPDX-License-Identifier: BSD-3-Clause
#include "formats/csv_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>

namespace crinkle::tool {

bool is_word_for_missing(std::string_view text) {
  static constexpr std::string_view words[] = {"",  "na", "n/a",  "<na>", "nan",     "-nan",  "+nan",  "nat",    "null",    "none",
                                               "-", "?",  "#n/a", "#na",  "#div/0!", "#ref!", "#num!", "#name?", "#value!", "#null!"};
  const auto equals = [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  };
  return std::any_of(std::begin(words), std::end(words), equals);
}

std::optional<double> number_in(std::string_view text, char decimal) {
  std::string with_point;
  if (decimal != '.' && text.find_first_of(std::string{'.', decimal}) != std::string_view::npos) {
    if (text.find('.') != std::string_view::npos) return {};
    with_point = text;
    std::replace(with_point.begin(), with_point.end(), decimal, '.');
    text = with_point;
  }
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) number = std::strtod(std::string(text).c_str(), nullptr);
  return number;
}

bool is_beyond_2_to_53(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || end != text.data() + text.size()) return false;
  return error == std::errc::result_out_of_range || number > std::uint64_t{1} << 53;
}

std::string fault_of(std::string_view text, char decimal) {
  if (number_in(text, decimal)) return "is infinite, or beyond float64";
  if (decimal == '.' && number_in(text, ',')) return "is no number; decimals follow a point, or with --decimal , a comma";
  if (decimal != '.' && number_in(text, '.')) return fmt::format("is no number; decimals follow '{}', as --decimal says", decimal);
  return "is no number";
}

bool MissingMarks::is_one(std::string_view text, std::optional<double> number) const {
  return number ? is_one(*number) : std::find(texts.begin(), texts.end(), text) != texts.end();
}

MissingMarks missing_marks(const std::vector<std::string>& words) {
  MissingMarks marks;
  for (const std::string& word : words) {
    if (const std::optional<double> number = number_in(word, '.')) marks.numbers.push_back(*number);
    else marks.texts.push_back(word);
  }
  return marks;
}

}  // namespace crinkle::tool
