// The words that a wish may contain beside names and numbers: what happens to a tail, how a pad continues an axis, where a
// crinkle puts its phase. Each enum has one spelling, used by the command, the printer and the errors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "crinkle/detail/placement.hpp"

namespace crinkle {

/// What happens when a factor does not divide its axis.
enum class Tail : std::uint8_t {
  error,   // not_divisible
  ragged,  // the first (extent mod factor) phases hold one element more than the others
  pad,     // zeros are appended up to the next multiple
  drop     // the end is cut down to the previous multiple
};

/// What lies beyond the ends of a padded axis of extent n, as NumPy's pad has it: `constant` a value, `edge` the end element,
/// `reflect` a mirror on the end element (period 2n−2), `symmetric` a mirror beside it (period 2n), `wrap` the axis again (period n).
enum class PadMode : std::uint8_t { constant, edge, reflect, symmetric, wrap };

const char* name_of(Tail tail) noexcept;
const char* name_of(PadMode mode) noexcept;
const char* name_of(Placement placement) noexcept;

/// The mode of a word. Throws bad_notation listing the legal words and naming the nearest.
Tail tail_of(std::string_view word);
PadMode pad_mode_of(std::string_view word);
Placement placement_of(std::string_view word);

}  // namespace crinkle
