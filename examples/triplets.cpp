// Pairs and triplets of points, each met once: how many points of a square lattice are neighbours, and how many three of them make a right
// triangle; one by one, and in tiles that sum on their own.
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <cstdint>
#include <cstdio>

#include "crinkle/simplex_loops.hpp"

using namespace crinkle;

struct Lattice {
  std::int64_t side;
  std::int64_t size() const { return side * side; }
  std::int64_t x(std::int64_t point) const { return point % side; }
  std::int64_t y(std::int64_t point) const { return point / side; }
  // (b − a)·(c − a)
  std::int64_t product(std::int64_t a, std::int64_t b, std::int64_t c) const {
    return (x(b) - x(a)) * (x(c) - x(a)) + (y(b) - y(a)) * (y(c) - y(a));
  }
  bool is_right(std::int64_t a, std::int64_t b, std::int64_t c) const {
    return product(a, b, c) == 0 || product(b, c, a) == 0 || product(c, a, b) == 0;
  }
};

std::int64_t count_neighbours(const Lattice& points) {
  std::atomic<std::int64_t> n = 0;
  for_each_pair(points.size(), [&](std::int64_t i, std::int64_t j) {
    if (points.product(i, j, j) == 1) ++n;  // at distance 1
  });
  return n;
}

std::int64_t count_right_triangles(const Lattice& points) {
  std::atomic<std::int64_t> n = 0;
  for_each_triplet(points.size(), [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    if (points.is_right(i, j, k)) ++n;
  });
  return n;
}

// Nothing is shared but one addition a tile.
std::int64_t count_in_tiles(const Lattice& points) {
  std::atomic<std::int64_t> n = 0;
  for_each_triplet_tile(points.size(), 16, [&](const TripletTile& tile) {
    std::int64_t own = 0;
    for (std::int64_t i = tile.i_begin; i < tile.i_end; ++i)
      for (std::int64_t j = tile.j_begin; j < tile.j_end; ++j)
        for (std::int64_t k = tile.k_begin; k < tile.k_end; ++k)
          if (!tile.is_on_diagonal || (i < j && j < k)) own += points.is_right(i, j, k);
    n += own;
  });
  return n;
}

int main() {
  const Lattice small{5}, large{12};
  const std::int64_t neighbours = count_neighbours(large), triangles = count_right_triangles(large), in_tiles = count_in_tiles(large);
  const std::int64_t of_small = count_right_triangles(small);
  std::printf("5 x 5 points make %lld right triangles\n", static_cast<long long>(of_small));
  std::printf("12 x 12 points make %lld, in tiles %lld, and %lld pairs of neighbours\n", static_cast<long long>(triangles),
              static_cast<long long>(in_tiles), static_cast<long long>(neighbours));

  // The same numbers backwards: cell w of the triangle without its diagonal is a pair, largest first.
  const auto p = pair_of(std::uint32_t{4}, Diagonal::without);
  const bool is_known = of_small == 596 && neighbours == 2 * 12 * 11;  // 596: OEIS A077435
  return is_known && triangles == in_tiles && p == PairOf<std::uint32_t>{3, 1} && index_of(p, Diagonal::without) == 4 ? 0 : 1;
}
