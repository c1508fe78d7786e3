// SPDX-License-Identifier: BSD-3-Clause
#include "formats/window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/caret.hpp"
#include "base/number_lines.hpp"
#include "crinkle/error.hpp"
#include "crinkle/number.hpp"

namespace crinkle::tool {
namespace {

std::optional<double> real_in(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

}  // namespace

std::optional<Window> parse_window(const std::string& text) {
  if (text.empty()) return {};
  if (text == "auto") return Window();
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::bad_notation, "--window " + shown(text) + ": " + why); };
  const std::size_t colon = text.find(':');
  const std::optional<double> low = real_in(std::string_view(text).substr(0, colon)),
                              high = colon == std::string::npos ? std::nullopt : real_in(std::string_view(text).substr(colon + 1));
  if (!low || !high) refuse("write LOW:HIGH, two numbers, as in -160:240, or auto");
  if (!(*low < *high)) refuse(fmt::format("{} is black and {} white; give the lower one first", *low, *high));
  return Window{.ends = std::pair(*low, *high)};
}

std::pair<double, double> ends_of(const Window& window, std::vector<double>& numbers) {
  if (window.ends) return *window.ends;
  std::erase_if(numbers, [](double number) { return !std::isfinite(number); });
  if (numbers.empty()) return {0, 1};
  const std::ptrdiff_t last = std::ssize(numbers) - 1, away = last / 100;
  std::nth_element(numbers.begin(), numbers.begin() + away, numbers.end());
  const double low = numbers[static_cast<std::size_t>(away)];
  std::nth_element(numbers.begin(), numbers.begin() + (last - away), numbers.end());
  return {low, numbers[static_cast<std::size_t>(last - away)]};
}

double share_between(const std::pair<double, double>& ends, double number) {
  if (!(ends.first < ends.second)) return number == ends.first ? 0.5 : number < ends.first ? 0 : 1;
  return std::clamp((number - ends.first) / (ends.second - ends.first), 0.0, 1.0);
}

std::vector<std::byte> levels_of(std::span<const std::byte> bytes, const ElementType& type, const Window& window, double scale,
                                 double offset, const std::string& path, std::vector<std::string>& notes) {
  const NumberType number_type{parse_number(type.name), type.descr.starts_with('>')};
  std::vector<double> numbers(bytes.size() / static_cast<std::size_t>(type.bytes));
  load_line(numbers.data(), 1, bytes.data(), type.bytes, std::ssize(numbers), number_type);
  std::int64_t n_nan = 0;
  for (double& number : numbers) {
    number = number == window.nodata ? std::nan("") : number * scale + offset;
    n_nan += std::isnan(number) ? 1 : 0;
  }
  std::vector<double> sorted = window.ends ? std::vector<double>() : numbers;
  const std::pair<double, double> ends = ends_of(window, sorted);
  if (!window.ends)
    notes.push_back(fmt::format("{}: black is {:.6g}, white {:.6g}, the 1st and the 99th percentile", path, ends.first, ends.second));
  if (n_nan > 0) notes.push_back(fmt::format("{}: {} numbers are NaN or no data, and black", path, n_nan));
  std::vector<std::byte> levels(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    levels[i] = std::isnan(numbers[i]) ? std::byte{0} : static_cast<std::byte>(std::lround(255 * share_between(ends, numbers[i])));
  return levels;
}

}  // namespace crinkle::tool
