// Every map of blocks onto a tetrahedron is a bijection: all m up to 60, blocks outside counted, and where the numbers end.
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "simplex/maps_support.hpp"

namespace crinkle::maps_tetrahedron_test {
namespace {

using Narrow = std::uint32_t;
using Long = std::uint64_t;

static_assert(TetrahedronMap<Narrow>(8).size() == 120 && TetrahedronMap<Narrow>(8, Diagonal::without).size() == 56);
static_assert(TetrahedronMap<Long>(8).at(119).k == 7 && TetrahedronBox<Long>(8).size() == 512);
static_assert(BalancedTetrahedron<Narrow>(8).grid() == Array<Narrow, 3>{5, 5, 5});

template <class Map>
struct Blocks {
  static Wide of(Wide layers) { return tetrahedron(layers); }
};
template <class K>
struct Blocks<TetrahedronBox<K>> {
  static Wide of(Wide layers) { return layers * layers * layers; }
};
template <class K>
struct Blocks<BalancedTetrahedron<K>> {
  static Wide of(Wide layers) {
    Wide side = 0;
    for (int bit = 30; bit >= 0; --bit) {
      const Wide below = side + (Wide{1} << bit) - 1;
      if (below * below * below < tetrahedron(layers)) side = below + 1;
    }
    return layers == 0 ? 0 : side * side * side;
  }
};

template <class Map>
struct TetrahedronMaps : ::testing::Test {};
using Maps = ::testing::Types<TetrahedronMap<Narrow>, TetrahedronMap<Long>, TetrahedronMap<Long, IntegerRoot>, BalancedTetrahedron<Narrow>,
                              BalancedTetrahedron<Long>, TetrahedronBox<Narrow>, TetrahedronBox<Long>>;
TYPED_TEST_SUITE(TetrahedronMaps, Maps);

TYPED_TEST(TetrahedronMaps, are_bijections_of_up_to_60_layers) {
  using K = typename TypeParam::Integer;
  for (const Diagonal diagonal : both_diagonals)
    for (K m = 0; m <= 60; m += m < 40 ? 1 : 5) {
      const K layers = diagonal == Diagonal::with ? m : m < 2 ? 0 : m - 2, gap = diagonal == Diagonal::with ? 0 : 1;
      const TypeParam map(m, diagonal);
      ASSERT_TRUE(TypeParam::fits(m, diagonal));
      ASSERT_TRUE(map.n_cells() == tetrahedron(layers) && map.size() == Blocks<TypeParam>::of(layers)) << map.size() << " blocks of " << m;
      const Array<K, 3> grid = map.grid();
      ASSERT_EQ(grid[0] * grid[1] * grid[2], map.size());
      std::vector<char> seen(static_cast<std::size_t>(m) * m * m, 0);
      K n_inside = 0;
      for (K w = 0; w < map.size(); ++w) {
        const TetrahedronCell<K> cell = map.at(w);
        if (!cell.is_inside) continue;
        ASSERT_TRUE(cell.i < m && cell.j + gap <= cell.i && cell.k + gap <= cell.j) << w << " of " << m << ' ' << name_of(diagonal);
        ASSERT_EQ(seen[(static_cast<std::size_t>(cell.i) * m + cell.j) * m + cell.k]++, 0) << w << " of " << m;
        ++n_inside;
        if constexpr (requires { map.index_of(cell.i, cell.j, cell.k); }) { ASSERT_EQ(map.index_of(cell.i, cell.j, cell.k), w); }
        if constexpr (requires { map.at(w, w, w); }) {
          const auto same =
              map.at(static_cast<K>(w % grid[0]), static_cast<K>(w / grid[0] % grid[1]), static_cast<K>(w / grid[0] / grid[1]));
          ASSERT_TRUE(same.is_inside && same.i == cell.i && same.j == cell.j && same.k == cell.k);
        }
      }
      ASSERT_EQ(n_inside, map.n_cells()) << m << " layers " << name_of(diagonal);
    }
}

TYPED_TEST(TetrahedronMaps, fit_until_their_blocks_do_not) {
  using K = typename TypeParam::Integer;
  const TypeParam nothing;
  EXPECT_TRUE(nothing.size() == 0 && nothing.n_cells() == 0);
  for (const Diagonal diagonal : both_diagonals) {
    const K m = largest<TypeParam>(diagonal), gap = diagonal == Diagonal::without ? 1 : 0;
    const Wide all = Wide{1} << (8 * sizeof(K));
    ASSERT_TRUE(Blocks<TypeParam>::of(m - 2 * gap) < all && Blocks<TypeParam>::of(Wide{m} + 1 - 2 * gap) >= all) << m;
    EXPECT_FALSE(TypeParam::fits(static_cast<K>(~K(0) - 1), diagonal) || TypeParam::fits(static_cast<K>(~K(0)), diagonal));
    const TypeParam map(m, diagonal);
    ASSERT_TRUE(map.size() == Blocks<TypeParam>::of(m - 2 * gap) && map.n_cells() == tetrahedron(m - 2 * gap));
    const TetrahedronCell<K> first = map.at(0);
    EXPECT_TRUE(first.is_inside && first.i == 2 * gap && first.j == gap && first.k == 0);
    if constexpr (requires { map.index_of(m, m, m); }) {
      std::mt19937_64 random(20261120);
      for (int trial = 0; trial < 3000; ++trial) {
        const K i = trial < 20 ? m - 1 - static_cast<K>(trial) : 2 * gap + static_cast<K>(random() % (m - 2 * gap));
        const K j = gap + static_cast<K>(random() % (i + 1 - 2 * gap)), k = static_cast<K>(random() % (j + 1 - gap));
        const TetrahedronCell<K> cell = map.at(map.index_of(i, j, k));
        ASSERT_TRUE(cell.i == i && cell.j == j && cell.k == k) << i << ", " << j << ", " << k << " of " << m;
      }
    }
  }
}

TEST(TetrahedronBox, large_ones_are_their_formulas) {
  std::mt19937_64 random(20261120);
  for (const Long m : {Long{1000}, Long{2000001}, largest<TetrahedronBox<Long>>(Diagonal::without)}) {
    const TetrahedronBox<Long> box(m, Diagonal::without);
    const Long side = m - 2;
    for (int trial = 0; trial < 3000; ++trial) {
      const Long x = random() % side, y = random() % side, z = random() % side;
      const TetrahedronCell<Long> cell = box.at((z * side + y) * side + x);
      ASSERT_TRUE(cell.is_inside == (x <= y && y <= z) && cell.i == z + 2 && cell.j == y + 1 && cell.k == x);
    }
  }
}

}  // namespace
}  // namespace crinkle::maps_tetrahedron_test
