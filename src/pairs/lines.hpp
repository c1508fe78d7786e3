// Lines of the forms of distances that lie one after the other, each whole: what a part of such a form has.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/pairs.hpp"

namespace crinkle {

/// Lines first ≤ l < last of a form of n points.
struct PairLines {
  std::int64_t first = 0, last = 0;
};

/// Whether a form's pairs lie in lines, one after the other.
constexpr bool is_of_lines(PairForm form) noexcept { return form != PairForm::rfp && form != PairForm::square; }

/// How many elements lie before a line; line n: all of them. Requires is_of_lines() and n < 2^32.
constexpr std::int64_t elements_before(PairForm form, std::int64_t n, std::int64_t line) noexcept {
  const auto half = [](std::int64_t k) { return k % 2 == 0 ? k / 2 * (k - 1) : (k - 1) / 2 * k; };  // k(k − 1)/2
  if (form == PairForm::packed_upper) return half(line + 1);
  return form == PairForm::condensed ? half(n) - half(n - line) : half(n + 1) - half(n - line + 1);
}

}  // namespace crinkle
