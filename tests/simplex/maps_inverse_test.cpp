// pair_of and triplet_of with every root: exhaustively for small numbers, at the ends of all rows, and up to the last number of all.
// SPDX-License-Identifier: BSD-3-Clause
#include "simplex/maps_support.hpp"

namespace crinkle::maps_inverse_test {
namespace {

using Narrow = std::uint32_t;
using Long = std::uint64_t;

static_assert(pair_of(Narrow{0}) == PairOf<Narrow>{0, 0} && pair_of(Narrow{5}) == PairOf<Narrow>{2, 2});
static_assert(pair_of(Long{5}, Diagonal::without) == PairOf<Long>{3, 2} && index_of(PairOf<Long>{3, 2}, Diagonal::without) == 5);
static_assert(pair_of<IntegerRoot>(~Long{0}).i == 6074000999u);
static_assert(triplet_of(Narrow{4}) == TripletOf<Narrow>{2, 0, 0} && triplet_of(Long{0}, Diagonal::without) == TripletOf<Long>{2, 1, 0});
static_assert(SquareRoot::last<Narrow> == 4294967295u && NewtonRoot::last<Long> == ~Long{0});

// T(i) + j = w and j ≤ i name one pair only.
template <class Root, class K>
bool is_right(K w) {
  const PairOf<K> p = pair_of<Root>(w), strict = pair_of<Root>(w, Diagonal::without);
  return p.j <= p.i && triangle(p.i) + p.j == w && strict == PairOf<K>{static_cast<K>(p.i + 1), p.j} && index_of(p) == w &&
         index_of(strict, Diagonal::without) == w;
}

template <class Root, class K>
bool is_right_layer(K w) {
  const TripletOf<K> t = triplet_of<Root>(w), strict = triplet_of<Root>(w, Diagonal::without);
  return t.k <= t.j && t.j <= t.i && tetrahedron(t.i) + triangle(t.j) + t.k == w &&
         strict == TripletOf<K>{static_cast<K>(t.i + 2), static_cast<K>(t.j + 1), t.k} && index_of(t) == w &&
         index_of(strict, Diagonal::without) == w;
}

template <class RootAndInteger>
struct Inverse : ::testing::Test {};
template <class R, class I>
struct Case {
  using Root = R;
  using K = I;
};
using Cases = ::testing::Types<Case<SquareRoot, Narrow>, Case<NewtonRoot, Narrow>, Case<ReciprocalRoot, Narrow>, Case<IntegerRoot, Narrow>,
                               Case<SquareRoot, Long>, Case<NewtonRoot, Long>, Case<ReciprocalRoot, Long>, Case<IntegerRoot, Long>>;
TYPED_TEST_SUITE(Inverse, Cases);

TYPED_TEST(Inverse, every_pair_of_2000_rows) {
  using K = typename TypeParam::K;
  K w = 0;
  for (K i = 0; i < 2000; ++i)
    for (K j = 0; j <= i; ++j, ++w) {
      const PairOf<K> p = pair_of<typename TypeParam::Root>(w);
      ASSERT_TRUE(p.i == i && p.j == j) << w << " became (" << p.i << ", " << p.j << ')';
    }
  for (w = 0; w < 2000; ++w) ASSERT_TRUE((is_right<typename TypeParam::Root>(w))) << w;
}

TYPED_TEST(Inverse, the_ends_of_all_rows_below_65536) {
  using K = typename TypeParam::K;
  for (K i = 1; i < 65536; ++i)
    for (const K w : {triangle_number(i) - 1, triangle_number(i), triangle_number(i) + 1})
      ASSERT_TRUE((is_right<typename TypeParam::Root>(static_cast<K>(w)))) << w;
}

// Rows of every magnitude up to the last one; where 64 bits have 2^62 pairs or more they are beyond what is promised to other code.
TYPED_TEST(Inverse, the_ends_of_random_rows_up_to_the_last) {
  using K = typename TypeParam::K;
  constexpr K last = TypeParam::Root::template last<K>;
  const K last_row = pair_of<IntegerRoot>(last).i;
  EXPECT_TRUE(triangle(last_row) <= last && triangle(Wide{last_row} + 1) > last);
  std::mt19937_64 random(20261120);
  for (int trial = 0; trial < 100000; ++trial) {
    const K i = static_cast<K>(random() % (Long{last_row} + 1)) >> (random() % (sizeof(K) * 4));
    const K begin = triangle_number(i);
    for (const K w : {begin, static_cast<K>(begin + (begin != last ? 1 : 0)), static_cast<K>(begin - (begin != 0 ? 1 : 0))})
      ASSERT_TRUE((is_right<typename TypeParam::Root>(w))) << w;
    const K anywhere = static_cast<K>(random()) >> (random() % (sizeof(K) * 8));
    ASSERT_TRUE((is_right<typename TypeParam::Root>(anywhere))) << anywhere;
  }
  for (K below = 0; below < 2000; ++below) ASSERT_TRUE((is_right<typename TypeParam::Root>(static_cast<K>(last - below)))) << below;
  for (K row = last_row - 2000; row <= last_row; ++row)
    for (const K w : {static_cast<K>(triangle_number(row) - 1), triangle_number(row)})
      ASSERT_TRUE((is_right<typename TypeParam::Root>(w))) << w;
}

TYPED_TEST(Inverse, every_triplet_of_100_layers) {
  using K = typename TypeParam::K;
  K w = 0;
  for (K i = 0; i < 100; ++i)
    for (K j = 0; j <= i; ++j)
      for (K k = 0; k <= j; ++k, ++w) {
        const TripletOf<K> t = triplet_of<typename TypeParam::Root>(w);
        ASSERT_TRUE(t.i == i && t.j == j && t.k == k) << w << " became (" << t.i << ", " << t.j << ", " << t.k << ')';
      }
  for (w = 0; w < 2000; ++w) ASSERT_TRUE((is_right_layer<typename TypeParam::Root>(w))) << w;
}

TYPED_TEST(Inverse, the_ends_of_layers_up_to_the_last) {
  using K = typename TypeParam::K;
  const K last_layer = sizeof(K) == 4 ? 2952 : 4801278;
  EXPECT_TRUE(tetrahedron(last_layer) <= Wide{static_cast<K>(~K(0))} && tetrahedron(Wide{last_layer} + 1) > Wide{static_cast<K>(~K(0))});
  std::mt19937_64 random(20261120);
  for (K trial = 1; trial < 20000; ++trial) {
    const K i = trial <= 2952 ? trial : 1 + static_cast<K>(random() % last_layer);
    const K begin = tetrahedron_number(i);
    for (const K w : {static_cast<K>(begin - 1), begin, static_cast<K>(begin + 1)})
      ASSERT_TRUE((is_right_layer<typename TypeParam::Root>(w))) << w;
    const K anywhere = static_cast<K>(random()) >> (random() % (sizeof(K) * 8));
    ASSERT_TRUE((is_right_layer<typename TypeParam::Root>(anywhere))) << anywhere;
  }
  for (K below = 0; below < 2000; ++below) ASSERT_TRUE((is_right_layer<typename TypeParam::Root>(static_cast<K>(~K(0) - below)))) << below;
}

TEST(Numbers, are_right_modulo_two_to_the_width) {
  std::mt19937_64 random(20261120);
  for (int trial = 0; trial < 20000; ++trial) {
    const Long n = random() >> (random() % 64);
    ASSERT_EQ(triangle_number(n), static_cast<Long>(triangle(n)));
    ASSERT_EQ(triangle_number(static_cast<Narrow>(n)), static_cast<Narrow>(triangle(static_cast<Narrow>(n))));
    const Wide third = static_cast<Narrow>(n);  // Tet of 32 bits fits 128
    ASSERT_EQ(tetrahedron_number(static_cast<Narrow>(n)), static_cast<Narrow>(tetrahedron(third)));
    ASSERT_EQ(tetrahedron_number(static_cast<Long>(third)), static_cast<Long>(tetrahedron(third)));
  }
}

}  // namespace
}  // namespace crinkle::maps_inverse_test
