// Every map of blocks onto a triangle is a bijection: all m up to 200, blocks outside counted, and where the numbers end.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <vector>

#include "simplex/maps_support.hpp"

namespace crinkle::maps_triangle_test {
namespace {

using Narrow = std::uint32_t;
using Long = std::uint64_t;

template <class Map>
constexpr bool covers(typename Map::Integer m, Diagonal diagonal) {
  using K = typename Map::Integer;
  const Map map(m, diagonal);
  Array<Array<int, 12>, 12> seen{};
  for (K w = 0; w < map.size(); ++w) {
    const TriangleCell<K> cell = map.at(w);
    if (cell.is_inside) ++seen[static_cast<int>(cell.i)][static_cast<int>(cell.j)];
  }
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      if (seen[i][j] != (i < static_cast<int>(m) && (diagonal == Diagonal::with ? j <= i : j < i) ? 1 : 0)) return false;
  return true;
}
static_assert(covers<Fold<Narrow>>(7, Diagonal::with) && covers<Fold<Long>>(8, Diagonal::without));
static_assert(covers<Lambda<NewtonRoot, Long>>(9, Diagonal::without) && covers<BalancedLambda<SquareRoot, Narrow>>(9, Diagonal::with));
static_assert(covers<BoundingBox<Long>>(6, Diagonal::with) && covers<RectangularBox<Long>>(7, Diagonal::with));
static_assert(covers<Recursive<Narrow>>(11, Diagonal::without) && covers<Banded<Long>>(11, Diagonal::with));
static_assert(covers<UpperTriangular<Narrow>>(5, Diagonal::without));

// How many blocks a map of `rows` rows with the diagonal has, by the formulas of the paper and of the maps.
template <class Map>
struct Blocks {
  static Wide of(Wide rows) { return triangle(rows); }
};
template <class K>
struct Blocks<BoundingBox<K>> {
  static Wide of(Wide rows) { return rows * rows; }
};
template <class K>
struct Blocks<RectangularBox<K>> {
  static Wide of(Wide rows) { return triangle(rows) + (rows % 2 == 0 ? 0 : (rows + 1) / 2); }
};
template <class Root, class K>
struct Blocks<BalancedLambda<Root, K>> {
  static Wide of(Wide rows) {
    Wide side = 0;
    for (int bit = 40; bit >= 0; --bit) {
      const Wide more = side + (Wide{1} << bit);
      if ((more - 1) * (more - 1) < triangle(rows)) side = more;
    }
    return rows == 0 ? 0 : side * side;
  }
};
// m0 and k of the recursive partition.
struct Partition {
  Wide base;
  int level;
  explicit Partition(Wide rows) : base(rows), level(0) {
    for (; base > 8; ++level) base = (rows + (Wide{2} << level) - 1) >> (level + 1);
  }
};
template <class K>
struct Blocks<Recursive<K>> {
  static Wide of(Wide rows) {
    const Partition p(rows);
    const Wide padded = p.base << p.level;
    return padded * (padded - p.base) / 2 + padded * p.base;
  }
};

template <class Map>
struct TriangleMaps : ::testing::Test {};
using Maps =
    ::testing::Types<Lambda<SquareRoot, Narrow>, Lambda<SquareRoot, Long>, Lambda<NewtonRoot, Narrow>, Lambda<NewtonRoot, Long>,
                     Lambda<ReciprocalRoot, Narrow>, Lambda<ReciprocalRoot, Long>, Lambda<IntegerRoot, Narrow>, Lambda<IntegerRoot, Long>,
                     BalancedLambda<SquareRoot, Narrow>, BalancedLambda<NewtonRoot, Long>, BoundingBox<Narrow>, BoundingBox<Long>,
                     RectangularBox<Narrow>, RectangularBox<Long>, Recursive<Narrow>, Recursive<Long>, UpperTriangular<Narrow>,
                     UpperTriangular<Long>, Fold<Narrow>, Fold<Long>, Banded<Narrow>, Banded<Long>>;
TYPED_TEST_SUITE(TriangleMaps, Maps);

// Every cell once; what is not inside is wasted, and as much as the map says.
template <class Map>
void check_bijection(const Map& map, typename Map::Integer m, Diagonal diagonal) {
  using K = typename Map::Integer;
  const K rows = diagonal == Diagonal::without && m > 0 ? m - 1 : m;
  ASSERT_TRUE(Map::fits(m, diagonal));
  ASSERT_TRUE(map.n_cells() == triangle(rows) && map.size() == Blocks<Map>::of(rows)) << map.size() << " blocks of " << m;
  ASSERT_EQ(map.grid()[0] * map.grid()[1] * map.grid()[2], map.size());
  std::vector<char> seen(static_cast<std::size_t>(m) * m, 0);
  K n_inside = 0;
  for (K w = 0; w < map.size(); ++w) {
    const TriangleCell<K> cell = map.at(w);
    if (!cell.is_inside) continue;
    ASSERT_TRUE(cell.i < m && (diagonal == Diagonal::with ? cell.j <= cell.i : cell.j < cell.i)) << w << " of " << m;
    ASSERT_EQ(seen[static_cast<std::size_t>(cell.i) * m + cell.j]++, 0) << w << " of " << m << ' ' << name_of(diagonal);
    ++n_inside;
    if constexpr (requires { map.index_of(cell.i, cell.j); }) { ASSERT_EQ(map.index_of(cell.i, cell.j), w) << m; }
    if constexpr (requires { map.at(w, w); }) {
      const TriangleCell<K> same = map.at(static_cast<K>(w % map.grid()[0]), static_cast<K>(w / map.grid()[0]));
      ASSERT_TRUE(same.i == cell.i && same.j == cell.j && same.is_inside);
    }
  }
  ASSERT_EQ(n_inside, map.n_cells()) << m << " rows " << name_of(diagonal);
}

TYPED_TEST(TriangleMaps, are_bijections_of_up_to_200_rows) {
  using K = typename TypeParam::Integer;
  for (const Diagonal diagonal : both_diagonals)
    for (K m = 0; m <= 200; ++m) check_bijection(TypeParam(m, diagonal), m, diagonal);
}

TYPED_TEST(TriangleMaps, of_nothing_are_empty) {
  const TypeParam map;
  EXPECT_TRUE(map.size() == 0 && map.n_cells() == 0 && TypeParam(0).size() == 0 && TypeParam(1, Diagonal::without).size() == 0);
}

// fits() holds up to the last m whose blocks have numbers of K; there the map is still right.
TYPED_TEST(TriangleMaps, fit_until_their_blocks_do_not) {
  using K = typename TypeParam::Integer;
  for (const Diagonal diagonal : both_diagonals) {
    const K m = largest<TypeParam>(diagonal), gap = diagonal == Diagonal::without ? 1 : 0;
    const Wide all = Wide{1} << (8 * sizeof(K));
    const bool is_upper = TypeParam::name == std::string("upper_triangular");  // whose roots, not blocks, end first
    ASSERT_TRUE(Blocks<TypeParam>::of(m - gap) < all);
    ASSERT_TRUE((is_upper ? 4 * (Wide{m} - gap + 1) * (Wide{m} - gap + 1) : Blocks<TypeParam>::of(Wide{m} + 1 - gap)) >= all);
    ASSERT_TRUE(!is_upper || m - gap == (K(1) << (4 * sizeof(K) - 1)) - 1);
    EXPECT_FALSE(TypeParam::fits(static_cast<K>(~K(0) - 1), diagonal) || TypeParam::fits(static_cast<K>(~K(0)), diagonal));

    const TypeParam map(m, diagonal);
    ASSERT_TRUE(map.size() == Blocks<TypeParam>::of(m - gap) && map.n_cells() == triangle(m - gap));
    std::mt19937_64 random(20261120);
    if constexpr (requires { map.index_of(m, m); }) {
      for (int trial = 0; trial < 3000; ++trial) {
        const K i = trial < 20 ? m - 1 - static_cast<K>(trial) : gap + static_cast<K>(random() % (m - gap));
        for (const K j : {K(0), static_cast<K>(random() % (i + 1 - gap)), static_cast<K>(i - gap)}) {
          const K w = map.index_of(i, j);
          const TriangleCell<K> cell = map.at(w);
          ASSERT_TRUE(w < map.size() && cell.is_inside && cell.i == i && cell.j == j) << i << ", " << j << " of " << m << ": " << w;
        }
      }
      const TriangleCell<K> last = map.at(map.size() - 1);
      EXPECT_TRUE(map.size() != map.n_cells() || (last.is_inside && last.i < m && last.j + gap <= last.i));
    }
  }
}

TEST(TriangleMap, is_the_fold) { EXPECT_STREQ(TriangleMap<>::name, "fold"); }

// All rows of a fold whose grid is as wide as the paper's largest and as high as a grid of CUDA may be.
TEST(Fold, the_ends_of_every_row_at_131072) {
  for (Narrow m = 131069; m <= 131072; ++m) {
    for (const Diagonal diagonal : both_diagonals) {
      const Fold<Long> map(m, diagonal);
      EXPECT_FALSE(Fold<Narrow>::fits(m, diagonal));
      EXPECT_LE(map.grid()[1], 65536u);
      const Narrow gap = diagonal == Diagonal::without ? 1 : 0;
      for (Long i = gap; i < m; ++i)
        for (const Long j : {Long{0}, i / 2, i - gap}) {
          const TriangleCell<Long> cell = map.at(map.index_of(i, j));
          ASSERT_TRUE(cell.i == i && cell.j == j) << i << ", " << j << " of " << m;
        }
      for (Long y = 0; y < map.grid()[1]; ++y) {
        const TriangleCell<Long> first = map.at(Long{0}, y), last = map.at(map.grid()[0] - 1, y);
        ASSERT_TRUE(first.j == 0 && first.i == m - 1 - y && last.j == last.i - gap) << y;
      }
    }
  }
}

// The number of a cell in the order of the recursive partition, from the bits in which row and column differ.
TEST(Recursive, large_triangles_keep_the_order_of_their_levels) {
  std::mt19937_64 random(20261120);
  for (const Long m : {Long{9}, Long{1000}, Long{65536}, Long{2000000001}, largest<Recursive<Long>>(Diagonal::with)}) {
    const Recursive<Long> map(m);
    const Partition p(m);
    const auto base = static_cast<Long>(p.base), n_triangles = Long{1} << p.level;
    for (int trial = 0; trial < 3000; ++trial) {
      const Long i = random() % m, j = trial % 3 == 0 ? i / base * base + random() % (i % base + 1) : random() % (i + 1);
      const Long differ = (i / base) ^ (j / base);
      int level = -1;
      while (level < 63 && (differ >> (level + 1)) != 0) ++level;
      Long w = base * base * n_triangles / 2 * (n_triangles - 1);
      if (level < 0) {
        w += i / base * base * base + i % base * base + j % base;
      } else {
        const Long side = base << level;
        w = base * base * n_triangles / 2 * ((Long{1} << level) - 1) + i / side / 2 * side * side + i % side * side + j % side;
      }
      const TriangleCell<Long> cell = map.at(w);
      ASSERT_TRUE(cell.is_inside && cell.i == i && cell.j == j) << i << ", " << j << " of " << m << ": " << w;
    }
  }
}

TEST(Boxes, large_ones_are_their_formulas) {
  std::mt19937_64 random(20261120);
  for (const Long m : {Long{65536}, Long{3000000001}, largest<BoundingBox<Long>>(Diagonal::with)}) {
    const BoundingBox<Long> box(m);
    const RectangularBox<Long> turned(m);
    for (int trial = 0; trial < 3000; ++trial) {
      const Long x = random() % m, y = random() % m;
      const TriangleCell<Long> cell = box.at(y * m + x);
      ASSERT_TRUE(cell.is_inside == (x <= y) && cell.i == y && cell.j == x);
      const Long width = (m + 1) / 2, column = x % width;
      const TriangleCell<Long> other = turned.at(y * width + column);
      const bool is_below = column < y;
      ASSERT_TRUE(other.i == (is_below ? y - 1 : m - 1 - y) && other.j == (is_below ? column : m - 1 - column));
      ASSERT_EQ(other.is_inside, is_below || 2 * column + 1 != m);
    }
  }
}

TEST(Banded, bands_of_any_height_are_bijections) {
  for (const Diagonal diagonal : both_diagonals)
    for (const Long rows_of_band : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 16u, 64u})
      for (Long m = 0; m <= 40; ++m) check_bijection(Banded<Long>(m, diagonal, rows_of_band), m, diagonal);
}

TEST(Banded, a_band_shares_its_columns) {
  const Banded<Narrow> map(19, Diagonal::with, 4);
  const Narrow begin = triangle_number(Narrow{8});
  for (Narrow o = 0; o < 32; ++o) {
    const TriangleCell<Narrow> cell = map.at(begin + o);
    EXPECT_TRUE(cell.i == 8 + o % 4 && cell.j == o / 4) << o;
  }
}

TEST(UpperTriangular, is_the_condensed_order) {
  Narrow w = 0;
  const UpperTriangular<Narrow> map(50, Diagonal::without);
  for (Narrow a = 0; a < 50; ++a)
    for (Narrow b = a + 1; b < 50; ++b, ++w) ASSERT_TRUE(map.at(w).i == b && map.at(w).j == a) << w;
}

}  // namespace
}  // namespace crinkle::maps_triangle_test
