// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/caret.hpp"
#include "crinkle/error.hpp"

namespace crinkle::tool {
namespace {

// Not a plain variable: it is filled before main(), by files whose order nobody knows.
std::multimap<int, Command (*)()>& declarations() {
  static std::multimap<int, Command (*)()> all;
  return all;
}

// "little or big", "error, ragged, pad or drop"
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

}  // namespace

void Option::give(const std::string& text) const {
  if (text.empty() && !is_argument()) {
    throw Error(ErrorCode::bad_notation, long_name() + ": its value is empty, as an unset variable of a shell is; give " + placeholder +
                                             " or leave " + long_name() + " out");
  }
  if (is_flag && text != "true")
    throw Error(ErrorCode::bad_notation,
                long_name() + "='" + shown(text) + "': it takes no value; write " + long_name() + ", or leave it out");
  if (!has_other_values && std::find(choices.begin(), choices.end(), text) == choices.end())
    throw Error(ErrorCode::bad_notation, long_name() + " '" + shown(text) + "': it is " + alternatives(choices));
  set(text);
}

Option& Option::required() { return is_required = true, *this; }
Option& Option::repeatable() { return is_repeatable = true, *this; }
Option& Option::list() { return is_list = true, *this; }
Option& Option::such_as(std::vector<std::string> words) { return choices = std::move(words), *this; }
Option& Option::only(std::vector<std::string> words) { return has_other_values = false, such_as(std::move(words)); }
Option& Option::file(std::vector<std::string> its_endings) { return takes = Takes::file, endings = std::move(its_endings), *this; }
Option& Option::axis() { return takes = Takes::axis, *this; }
Option& Option::axis_and_value() { return takes = Takes::axis_and_value, *this; }
Option& Option::heading(std::string text) { return group = std::move(text), *this; }
Option& Option::manual(std::string text) { return more = std::move(text), *this; }

template <std::integral T>
T parse_integer(const std::string& option, const std::string& text) {
  const std::size_t first_digit = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
  if (first_digit == text.size() || text.find_first_not_of("0123456789", first_digit) != std::string::npos)
    throw Error(ErrorCode::bad_notation, option + ": '" + shown(text) + "' is no whole number");
  if (std::unsigned_integral<T> && text[0] == '-') throw Error(ErrorCode::bad_notation, option + " " + shown(text) + ": give 0 or more");
  T n = 0;
  const char* const first = text.data() + (text[0] == '+' ? 1 : 0);
  if (std::from_chars(first, text.data() + text.size(), n).ec != std::errc())
    throw Error(ErrorCode::too_large, option + " " + shown(text) + ": does not fit " + std::to_string(8 * sizeof(T)) + " bits");
  return n;
}
template int parse_integer(const std::string&, const std::string&);
template std::int64_t parse_integer(const std::string&, const std::string&);
template std::uint32_t parse_integer(const std::string&, const std::string&);
template std::uint64_t parse_integer(const std::string&, const std::string&);

void refuse(const std::string& text) { throw Error(ErrorCode::bad_notation, text); }

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

double parse_real(const std::string& option, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(ErrorCode::bad_notation, option + ": '" + shown(text) + "' is no number");
  return number;
}

std::string usual_of(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

Option& Command::option(const std::string& names, const std::string& placeholder, std::function<void(const std::string&)> set,
                        const std::string& help) {
  Option& o = options.emplace_back();
  o.name = names;
  o.placeholder = placeholder;
  o.help = help;
  o.set = std::move(set);
  return o;
}

Option& Command::flag(const std::string& names, bool& target, const std::string& help) {
  Option& o = option(names, "", [&target](const std::string&) { target = true; }, help);
  o.is_flag = true;
  return o;
}

std::vector<Command> commands() {
  std::vector<Command> all;
  for (const auto& [place, declare] : declarations()) all.push_back(declare());
  return all;
}

Registered::Registered(int place, Command (*declare)()) { declarations().emplace(place, declare); }

}  // namespace crinkle::tool
