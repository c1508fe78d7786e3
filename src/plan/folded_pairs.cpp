// Rows of the triangle in twos of equal length.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/folded_pairs.hpp"

#include "base/checked.hpp"

namespace crinkle::planning {

std::int64_t n_pairs(std::int64_t n) {
  if (n == 1) return 1;
  return n % 2 == 0 ? multiply(n / 2, n - 1) : multiply(n, (n - 1) / 2);
}

Pair pair_at(std::int64_t k, std::int64_t n) {
  if (n == 1) return {};
  // Row i has i pairs: rows a and n−1−a together n−1 of them, and for an odd n rows a and n−a, without row 0, n.
  const std::int64_t width = n % 2 == 0 ? n - 1 : n;
  const std::int64_t a = k / width + n % 2, b = k % width;
  const std::int64_t longer = width - a;
  return b < longer ? Pair{longer, b} : Pair{a, b - longer};
}

}  // namespace crinkle::planning
