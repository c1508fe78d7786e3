// Positions of cells and cells of positions: origin and spacing of a physical grid.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "crinkle/kindex.hpp"

namespace crinkle::grid_test {
namespace {

using Index = AnyIndex<2, std::uint32_t>;
const Index index_5x3({5, 3});
constexpr Grid<2> grid = {{10.0, -1.0}, {0.5, -2.0}};  // y runs downwards

static_assert(grid.position(Array<std::uint32_t, 2>{3, 2}) == Array<double, 2>{11.5, -5.0});
static_assert(grid.nearest(PowerOfTwoIndex<2>({4, 4}), {11.5, -5.0}) == 11);

TEST(Grid, a_cell_lies_at_origin_plus_index_times_spacing) {
  EXPECT_TRUE((grid.position(index_5x3, 0) == Array<double, 2>{10.0, -1.0}));
  EXPECT_TRUE((grid.position(index_5x3, 14) == Array<double, 2>{12.0, -5.0}));
}

TEST(Grid, the_nearest_cell_of_a_cells_position_is_the_cell) {
  const Grid<3, float> tilted = {{0.1f, -7.3f, 1e3f}, {0.3f, -0.7f, 1e-2f}};
  const PowerOfTwoIndex<3> index({8, 16, 4});
  for (std::uint64_t k = 0; k < index.total(); ++k) ASSERT_EQ(tilted.nearest(index, tilted.position(index, k)), k);
}

TEST(Grid, the_nearest_cell_is_at_most_half_a_spacing_away) {
  EXPECT_EQ(grid.nearest(index_5x3, {10.24, -1.0}), 0u);
  EXPECT_EQ(grid.nearest(index_5x3, {10.25, -1.0}), 1u);  // half-way goes up
  EXPECT_EQ(grid.nearest(index_5x3, {9.75, -1.9}), 0u);
  EXPECT_EQ(grid.nearest(index_5x3, {12.24, -5.9}), 14u);
}

TEST(Grid, beyond_the_ends_the_boundaries_decide) {
  EXPECT_EQ(grid.nearest(index_5x3, {9.7, -1.0}), Index::outside);
  EXPECT_EQ(grid.nearest(index_5x3, {12.3, -1.0}), Index::outside);
  EXPECT_EQ(grid.nearest(index_5x3, {10.0, 1.0}), Index::outside);
  EXPECT_EQ(grid.nearest(index_5x3, {9.5, -1.0}, Boundary::periodic), 4u);
  EXPECT_EQ(grid.nearest(index_5x3, {9.0, -1.0}, Boundary::reflecting), 2u);
  EXPECT_EQ(grid.nearest(index_5x3, {1e9, 1.0}, Boundary::clamped), 4u);
  EXPECT_EQ(grid.nearest(index_5x3, {1e300, -1e300}, Boundary::clamped), 14u);
  EXPECT_EQ(grid.nearest(index_5x3, {-1e300, 1e300}, Boundary::clamped), 0u);
}

TEST(Grid, what_is_no_number_has_no_cell) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(grid.nearest(index_5x3, {nan, -1.0}, Boundary::clamped), Index::outside);
  EXPECT_EQ(grid.nearest(index_5x3, {infinity, -1.0}, Boundary::clamped), 4u);
  EXPECT_EQ(grid.nearest(index_5x3, {-infinity, -1.0}), Index::outside);
  EXPECT_EQ(grid.nearest(Index({0, 3}), {10.0, -1.0}, Boundary::clamped), Index::outside);
}

}  // namespace
}  // namespace crinkle::grid_test
