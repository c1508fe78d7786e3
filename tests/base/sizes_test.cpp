// Even parts of a size: in order, without gaps, of two lengths, the longer ones first.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/sizes.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace crinkle::sizes_test {
namespace {

TEST(sizes, parts_are_even_and_the_longer_ones_come_first) {
  for (std::int64_t n = 0; n < 40; ++n) {
    for (std::int64_t n_parts = 1; n_parts < 12; ++n_parts) {
      EXPECT_EQ(part_begin(n, n_parts, 0), 0);
      EXPECT_EQ(part_begin(n, n_parts, n_parts), n);
      for (std::int64_t k = 0; k < n_parts; ++k)
        EXPECT_EQ(part_begin(n, n_parts, k + 1) - part_begin(n, n_parts, k), n / n_parts + (k < n % n_parts ? 1 : 0));
    }
  }
}

TEST(sizes, parts_of_the_largest_size_do_not_overflow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  static_assert(part_begin(most, 3, 3) == most && part_begin(most, most, most) == most && part_begin(most, most, most - 1) == most - 1);
  EXPECT_EQ(part_begin(most, 2, 1), most / 2 + 1);
}

}  // namespace
}  // namespace crinkle::sizes_test
