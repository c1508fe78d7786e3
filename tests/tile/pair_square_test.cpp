// Squares of pairs and cubes of triplets, walked thread by thread with several maps: every pair and triplet is visited once.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/pair_square.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "crinkle/simplex.hpp"
#include "tile/triplet_cube.hpp"

namespace crinkle::testing::pair_square_test {
namespace {

// What the kernel does, see pairs/cuda/collisions.cuh.
template <class Map>
void walk_pairs(std::int64_t n) {
  using Square = tile::PairSquare<Map>;
  Square square{.map = Map(tile::squares_of<Map>(n)), .n = n};
  std::vector<int> times(static_cast<std::size_t>(n * n));
  for (std::int64_t block = 0; block < square.n_blocks(); ++block) {
    square.begin_block(block);
    if (!square.is_inside) continue;
    ASSERT_GT(square.n_columns(), 0);
    for (int c = 0; c < square.n_columns(); ++c)
      for (int t = 0; t < Square::threads; ++t)
        for (int r = 0; r < Square::rows_thread; ++r) {
          const std::int64_t i = square.row_of(t, r), j = square.column + c;
          if (square.has_all && square.n_columns() == Square::columns) ASSERT_TRUE(square.has(i, j)) << i << ", " << j;
          else if (!square.has(i, j)) continue;
          ++times[static_cast<std::size_t>(i * n + j)];
        }
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      ASSERT_EQ(times[static_cast<std::size_t>(i * n + j)], j < i ? 1 : 0) << Map::name << ", " << n << " points: " << i << ", " << j;
}

TEST(PairSquares, visit_every_pair_once) {
  for (const std::int64_t n : {1, 2, 3, 63, 64, 65, 511, 512, 513, 577, 1024, 1100}) {
    walk_pairs<TriangleMap<std::uint64_t>>(n);
    walk_pairs<Lambda<SquareRoot, std::uint64_t>>(n);
    walk_pairs<BoundingBox<std::uint64_t>>(n);
  }
}

// What the kernel does, see pairs/cuda/triplets.cuh.
template <class Map>
void walk_triplets(std::int64_t n) {
  using Cube = tile::TripletCube<Map>;
  Cube cube{.map = Map(tile::cubes_of<Map>(n)), .n = n};
  std::vector<std::uint8_t> times(static_cast<std::size_t>(n * n * n));
  for (std::int64_t block = 0; block < cube.n_blocks(); ++block) {
    cube.begin_block(block);
    if (!cube.is_inside) continue;
    for (int t = 0; t < Cube::threads; ++t)
      for (int third = 0; third < cube.n_k(t); ++third)
        for (int r = 0; r < Cube::a_thread; ++r)
          for (int c = 0; c < Cube::a_thread; ++c) {
            const std::int64_t i = cube.first_i + Cube::row_of(t) + r, j = cube.first_j + Cube::column_of(t) + c, k = cube.first_k + third;
            if (cube.has_all) ASSERT_TRUE(cube.has(i, j, k)) << i << ", " << j << ", " << k;
            else if (!cube.has(i, j, k)) continue;
            ++times[static_cast<std::size_t>((i * n + j) * n + k)];
          }
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t k = 0; k < n; ++k)
        ASSERT_EQ(times[static_cast<std::size_t>((i * n + j) * n + k)], k < j && j < i ? 1 : 0)
            << Map::name << ", " << n << " points: " << i << ", " << j << ", " << k;
}

TEST(TripletCubes, visit_every_triplet_once) {
  for (const std::int64_t n : {1, 2, 3, 4, 63, 64, 65, 130, 193}) {
    walk_triplets<TetrahedronMap<std::uint64_t>>(n);
    walk_triplets<TetrahedronBox<std::uint64_t>>(n);
  }
}

}  // namespace
}  // namespace crinkle::testing::pair_square_test
