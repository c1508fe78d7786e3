// Numbers within 4 ulp of a whole one, or of a half, are that number; all others stay as they are.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/decimals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace crinkle::decimals_test {
namespace {

using namespace decimals;

TEST(Decimals, an_index_within_4_ulp_of_its_size_is_whole) {
  EXPECT_EQ((0.3 - 0.025) / 0.05 + 0.5, 5.999999999999999);
  EXPECT_EQ(steps_between(0.025, 0.3, 0.05, 0.5), 6);
  for (const double whole : {0.0, 1.0, -1.0, 7.0, -1000.0, 0x1p40}) {
    for (const double size : {1024.0, 4096.0, 0x1p45}) {
      const double four = 4 * 0x1p-52 * size, more = 5 * 0x1p-52 * size;
      for (const double sign : {-1.0, 1.0}) {
        EXPECT_EQ(settled(whole + sign * four, size), whole) << whole << ", " << size;
        const double beside = whole + sign * more;
        EXPECT_EQ(settled(beside, size), std::abs(beside - whole) <= four ? whole : beside) << whole << ", " << size;
        EXPECT_EQ(settled(whole + sign * (0.5 + four), size), whole + sign * (0.5 + four));
        EXPECT_EQ(settled(whole + sign * (0.5 + four), size, to_halves), whole + sign * 0.5);
      }
    }
  }
}

TEST(Decimals, what_is_not_finite_or_finer_than_roundings_stays) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(settled(std::nan(""), 1)));
  EXPECT_EQ(settled(infinity, infinity), infinity);
  EXPECT_EQ(settled(2.4, infinity), 2.4);
  EXPECT_EQ(settled(2.4, 0x1p50), 2.4);
  EXPECT_EQ(settled(0x1.8p52 + 1, 0x1.8p52), 0x1.8p52 + 1);
  EXPECT_EQ(settled(-0x1p60, 0x1p60), -0x1p60);
}

}  // namespace
}  // namespace crinkle::decimals_test
