// Means over boxes of whole numbers: sums that take in a row and let one go, the same work for any radius. All coefficients of a list are
// 1 / D. The definition's sum is float64; it rounds as the exact quotient does where
//     D is a power of two, so that all sums are exact, or
//     D is odd, so that the quotient is at least 1 / 2D from any half, and a bound of the definition's error is less.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "crinkle/sweeper.hpp"

namespace crinkle {

struct SweepPlan;
struct SweepPlaces;

struct RunningSweep {
  std::array<std::int64_t, 2> first = {}, last = {};  // offsets along the last axis but one, and along the line
  double factor = 1;                                  // of a sum: 1 / D, rounded
  bool is_float32 = false;                            // whether its product with a sum is near enough in float32

  std::int64_t n(std::size_t a) const { return last[a] - first[a] + 1; }
};

/// Requires a plan with its shape and stages.
std::optional<RunningSweep> running_sweep(const Sweep& sweep, const SweepPlan& plan, const SweepPlaces& source,
                                          const SweepPlaces& destination);

}  // namespace crinkle
