// The meaning of a spec against the extents of its source: every input axis becomes digits (slowest first, their extents multiply
// to the axis), every output axis a list of terms, each a digit of an input axis or a repeat. All sizes are known afterwards.
//
// A ragged axis of extent n = q·m + r (Tail::ragged, 0 < r < m) has two digits, the factor's phase p (extent m) and the axis
// x (extent q + 1), and is one axis of extent n on either side. Its map is two boxes, {p < r, x < q + 1} and {r <= p < m, x < q}, where
// (p, x) lies, within the input axis and within the output composite's two terms, at
//     x·m + p                                  where the factor is the faster digit,
//     p·q + min(p, r) + x                      where the factor is the slower digit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "crinkle/layout.hpp"
#include "crinkle/modes.hpp"
#include "notation/spec.hpp"

namespace crinkle {

struct Digit {
  std::string name;  // "" for the axes of `...`; an integer's text for an integer ("2")
  std::int64_t extent = 1;

  friend bool operator==(const Digit&, const Digit&) = default;
};

struct InputAxis {
  std::int64_t extent = 1;         // as given
  std::int64_t padded_extent = 1;  // > extent for Tail::pad, < extent for Tail::drop, else == extent; the digits' product unless ragged
  bool is_ragged = false;          // two digits, see above
  int factor_digit = 0;            // of a ragged axis: which of the two digits is the factor
  std::vector<Digit> digits;       // slowest first; empty for `1` and `()`

  friend bool operator==(const InputAxis&, const InputAxis&) = default;
};

/// A digit of an input axis, or, where input < 0, a repeat.
struct Term {
  int input = -1;
  int digit = -1;
  std::int64_t repeat = 1;  // the repeat's extent; 1 for a digit

  friend bool operator==(const Term&, const Term&) = default;
};

struct OutputAxis {
  std::vector<Term> terms;  // slowest first; empty: extent 1
  bool is_ragged = false;   // two neighbouring terms are the digits of a ragged input axis

  friend bool operator==(const OutputAxis&, const OutputAxis&) = default;
};

struct Binding {
  std::vector<InputAxis> inputs;    // one per source axis
  std::vector<OutputAxis> outputs;  // one per item of the right side, `...` counting as its axes
  std::vector<Term> fixed;          // digits named on the left only, which `at` fixes

  friend bool operator==(const Binding&, const Binding&) = default;
};

using Sizes = std::map<std::string, std::int64_t>;  // given beside the text

/// If a verb changes a whole input axis before it is split (`@0`), `source` holds the changed extents.
/// `fixed_names` are the names that `at` removes. Call it as crinkle::bind: its arguments bring std::bind into an unqualified call.
/// Throws bad_notation, bad_shape, not_divisible or too_large, with a caret.
Binding bind(const Spec& spec, const Extents& source, const Sizes& sizes = {}, Tail tail = Tail::error,
             const std::set<std::string>& fixed_names = {});

}  // namespace crinkle
