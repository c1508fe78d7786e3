// Numbers as grey levels: LOW becomes black, HIGH white, what lies between in proportion, and what lies beyond is as the nearer end.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crinkle/layout.hpp"
#include "formats/element_type.hpp"

namespace crinkle::tool {

struct Window {
  std::optional<std::pair<double, double>> ends = {};  // none: auto
  std::optional<double> nodata = {};                   // stands for no number
};

/// "LOW:HIGH" or "auto", as --window says it; nothing of "". Throws bad_notation.
std::optional<Window> parse_window(const std::string& text);

/// LOW and HIGH: as said, or so that 1 % of the numbers lies below and 1 % above. Numbers that are not finite do not count; of none they
/// are 0 and 1. Reorders the numbers.
std::pair<double, double> ends_of(const Window& window, std::vector<double>& numbers);

/// 0 to 1 between the ends; of ends that are one number a half for that.
double share_between(const std::pair<double, double>& ends, double number);

/// The levels of dense numbers, each first times `scale`, plus `offset`; NaN and nodata are black. What there is to say goes to `notes`:
/// the ends that were found, and how many numbers are none. Requires a type that is a number.
std::vector<std::byte> levels_of(std::span<const std::byte> numbers, const ElementType& type, const Window& window, double scale,
                                 double offset, const std::string& path, std::vector<std::string>& notes);

}  // namespace crinkle::tool
