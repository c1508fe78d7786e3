// One verb as people write it beside a spec: an axis, and for most verbs a value after '='.
//     flip x   bit_reverse x   roll x=-7   at x=5   dilate x=2   take x=index.npy   slice x=1:9:2
//     pad x=1:2:reflect   pad x=1:2:constant:3.5
// The axis is a name or an integer of the spec's left side, or `@0`, `@-1` for a whole input axis before it is split.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "crinkle/modes.hpp"

namespace crinkle {

struct Verb {
  enum class Kind : std::uint8_t { flip, roll, slice, pad, dilate, at, take, bit_reverse };

  Kind kind = Kind::flip;
  std::string axis;                               // "x", "2", "@0", "@-1"
  std::int64_t distance = 0;                      // roll: elements; at: the index, may be negative; dilate: the step, at least 1
  std::optional<std::int64_t> start, stop, step;  // slice; step is never 0
  std::int64_t before = 0, after = 0;             // pad: elements, never negative
  PadMode mode = PadMode::constant;               // pad
  std::string value;                              // pad: the constant's text, "" for zero bytes (see value.hpp)
  std::string file;                               // take

  friend bool operator==(const Verb&, const Verb&) = default;
};

/// "flip", "roll", … "bit_reverse"
const char* name_of(Verb::Kind kind) noexcept;

/// The verb of what follows its word: parse_verb(Kind::roll, "x=-7"). Throws bad_notation (too_large for a number beyond 63 bits)
/// with a caret. An axis is only checked to look like one.
Verb parse_verb(Verb::Kind kind, std::string_view text);

/// "roll x=-7"; without the word, parse_verb gives the same verb again.
std::string print(const Verb& verb);

/// The number k of an axis written `@k`, and nothing for a name.
std::optional<std::int64_t> whole_axis(std::string_view axis);

}  // namespace crinkle
