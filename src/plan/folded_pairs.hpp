// The pairs of n indices, numbered so that any cut of the numbers is balanced: a triangle folded into a rectangle, no root in sight.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle::planning {

/// How many pairs above > below there are of n indices; 1 for n = 1, which stands for no pair of axes.
std::int64_t n_pairs(std::int64_t n);

/// Pair k of them, balanced for any cut: rows of the triangle are laid end to end in twos of equal length.
struct Pair {
  std::int64_t above = 0, below = 0;
};
Pair pair_at(std::int64_t k, std::int64_t n);

}  // namespace crinkle::planning
