// The cells of a triangle's blocks have numbers, and what a block stages fits. SPDX-License-Identifier: BSD-3-Clause
#include "tile/triangle_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tile/triangle_cross_tile.hpp"

namespace crinkle::testing::triangle_blocks_test {
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

TEST(TriangleBlocks, what_is_staged_fits_any_gpu) {
  const TrianglePart part{0, 5000, 0, 5000, 0};
  const TriangleLines rows{0, 0, 1, false}, columns{0, 5000, -1, true};
  for (std::int64_t e = 1; e <= 32; ++e)
    for (std::int32_t unit = 1; unit <= 16 && e % unit == 0; unit *= 2)
      for (const bool is_symmetric : {false, true}) {
        const tile::TriangleCrossTile tile({part, rows, columns, e, unit, 0, 0, 5000 * 5001 / 2 * e},
                                           is_symmetric ? std::optional(rows) : std::nullopt);
        EXPECT_LE(tile.shared_bytes(), 48 << 10)
            << "elements of " << e << " bytes in units of " << unit << (is_symmetric ? ", symmetric" : "");
        EXPECT_LE(tile.cell_bytes(), 1 << 16);
      }
}

}  // namespace
}  // namespace crinkle::testing::triangle_blocks_test
