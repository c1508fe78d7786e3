// The cells of a triangle's blocks have numbers. SPDX-License-Identifier: BSD-3-Clause
#include "tile/triangle_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace crinkle::testing {
namespace {

TEST(TriangleBlocks, a_trapezoid_numbers_its_cells) {
  for (std::uint64_t rows = 0; rows <= 20; ++rows)
    for (std::uint64_t first = 1; first <= 12; ++first)
      for (std::uint64_t most = 1; most <= 24; ++most) {
        const tile::Trapezoid trapezoid(rows, first, most);
        std::uint64_t w = 0;
        for (std::uint64_t row = 0; row < rows; ++row)
          for (std::uint64_t column = 0; column < std::min(first + row, most); ++column, ++w) {
            ASSERT_LT(w, trapezoid.n_cells());
            const auto cell = trapezoid.at(w);
            ASSERT_TRUE(cell.row == row && cell.column == column) << rows << ' ' << first << ' ' << most << " at " << w;
          }
        ASSERT_EQ(trapezoid.n_cells(), w);
      }
}

}  // namespace
}  // namespace crinkle::testing
