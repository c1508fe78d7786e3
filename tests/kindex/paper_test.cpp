// The paper's worked values as its formulas mean them, the limits of each integer, totals beyond 2^32, and use in constant expressions.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>
#include <type_traits>

#include "crinkle/kindex.hpp"

namespace crinkle::paper_test {
namespace {

using Bits3 = PowerOfTwoIndex<3, std::uint32_t>;
using Any3 = AnyIndex<3, std::uint32_t>;

constexpr Bits3 cube({16, 16, 16});
static_assert(cube.bits(0) == 4 && cube.bits(1) == 4 && cube.bits(2) == 4);
static_assert(cube.offset(0) == 0 && cube.offset(1) == 4 && cube.offset(2) == 8);
static_assert(cube.mask(0) == 0x00F && cube.mask(1) == 0x0F0 && cube.mask(2) == 0xF00);
static_assert(cube.inverse(0) == 0xFF0 && cube.inverse(1) == 0xF0F && cube.inverse(2) == 0x0FF);
static_assert(cube.unit(0) == 0x001 && cube.unit(1) == 0x010 && cube.unit(2) == 0x100);
static_assert(cube.make_flip({true, false, true}).mask == 0xF0F);
static_assert(cube.flip(0x123, cube.make_flip({true, false, true})) == 0xE2C);
static_assert(cube.neighbour(0x23F, 0, 1) == 0x230 && cube.neighbour(0x20F, 1, -1) == 0x2FF);
static_assert(cube.make_shift({-1, 17, -16}).packed == 0x01F);
static_assert(cube.shift(0xF00, cube.make_shift({-1, 17, 1})) == 0x01F);
static_assert(cube.crinkle(0x001, cube.make_crinkle(0, 2)) == 0x800);
static_assert(cube.crinkle(0x001, cube.make_crinkle(0, 2, Placement::local)) == 0x008);

constexpr Any3 box({5, 7, 3});
static_assert(box.total() == 105 && box.unit(2) == 35 && box.compose({4, 6, 2}) == 104 && box.index(104, 1) == 6);
static_assert(box.decompose(52) == Array<std::uint32_t, 3>{2, 3, 1});
static_assert(box.neighbour(0, 2, -1) == 70 && box.neighbour(0, 2, -1, Boundary::open) == Any3::outside);
static_assert(box.uncrinkle(box.crinkle(52, box.make_crinkle(0, 3)), box.make_crinkle(0, 3)) == 52);
static_assert(box.shift(0, box.make_shift({-1, -1, -1})) == 104 && box.flip(0, box.make_flip({true, true, true})) == 104);

static_assert(std::is_trivially_copyable_v<Bits3> && std::is_trivially_copyable_v<Any3>);
#if defined(__cpp_concepts)
static_assert(KIndex<Bits3> && KIndex<Any3> && KIndex<PowerOfTwoIndex<1>> && KIndex<AnyIndex<9>>);
static_assert(!KIndex<Grid<3>>);
#endif

TEST(KIndexLimits, an_extent_that_is_no_power_of_two_does_not_fit_the_bit_form) {
  EXPECT_TRUE(Bits3::fits({1, 2, 1024}));
  EXPECT_FALSE(Bits3::fits({1, 3, 4}));
  EXPECT_FALSE(Bits3::fits({0, 2, 4}));
  EXPECT_TRUE(Any3::fits({1, 3, 4}));
}

TEST(KIndexLimits, the_32_bit_forms_end_below_2_to_the_32_cells) {
  EXPECT_TRUE(Bits3::fits({1u << 16, 1u << 15, 1}));
  EXPECT_FALSE(Bits3::fits({1u << 16, 1u << 16, 1}));  // its last k would be the value of `outside`
  EXPECT_TRUE(Any3::fits({0xFFFFFFFFu, 1, 1}));
  EXPECT_TRUE(Any3::fits({65535, 65537, 1}));
  EXPECT_FALSE(Any3::fits({65536, 65536, 1}));
  EXPECT_FALSE(Any3::fits({std::uint64_t{1} << 32, 1, 1}));
  EXPECT_FALSE(Any3::fits({(std::uint64_t{1} << 32) + 2, 3, 1}));
  EXPECT_FALSE(Any3::fits({std::uint64_t{1} << 40, std::uint64_t{1} << 40, 0}));
}

TEST(KIndexLimits, the_64_bit_forms_end_at_2_to_the_63_cells) {
  const std::uint64_t top = std::uint64_t{1} << 63;
  EXPECT_TRUE(PowerOfTwoIndex<2>::fits({top, 1}));
  EXPECT_FALSE(PowerOfTwoIndex<2>::fits({top, 2}));
  EXPECT_TRUE(AnyIndex<2>::fits({top / 2, 2}));
  EXPECT_FALSE(AnyIndex<2>::fits({top / 2 + 1, 2}));
  EXPECT_FALSE(AnyIndex<2>::fits({UINT64_MAX, UINT64_MAX}));
}

TEST(KIndexLimits, an_index_that_does_not_fit_has_no_cells) {
  const Bits3 odd({3, 4, 4});
  EXPECT_FALSE(odd.is_valid());
  EXPECT_EQ(odd.total(), 0u);
  const Any3 large({65536, 65536, 65536});
  EXPECT_FALSE(large.is_valid());
  EXPECT_EQ(large.total(), 0u);
  EXPECT_FALSE(Any3().is_valid());
}

TEST(KIndexLimits, a_zero_extent_is_legal_and_has_nothing_to_do) {
  const Any3 none({4, 0, 5});
  EXPECT_TRUE(none.is_valid());
  EXPECT_EQ(none.total(), 0u);
  (void)none.make_crinkle(1, 3);
  (void)none.make_shift({1, 1, 1});
  std::uint32_t untouched = 7;
  fill_neighbours(none, nearest_distances<3>(), Boundary::periodic, TableOrder::by_cell, &untouched);
  EXPECT_EQ(untouched, 7u);
}

template <class Index>
void check_large(const Index& index) {
  std::mt19937_64 random(20261120);
  std::uniform_int_distribution<std::uint64_t> any_k(0, index.total() - 1);
  const auto shift = index.make_shift({-5, 1000003, -70001});
  const auto flip = index.make_flip({true, false, true});
  for (int trial = 0; trial < 2000; ++trial) {
    const std::uint64_t k = trial == 0 ? index.total() - 1 : any_k(random);
    const std::uint64_t x = k % index.extent(0), y = k / index.extent(0) % index.extent(1), z = k / index.extent(0) / index.extent(1);
    ASSERT_TRUE((index.decompose(k) == Array<std::uint64_t, 3>{x, y, z}));
    ASSERT_EQ(index.compose({x, y, z}), k);
    ASSERT_EQ(index.compose({index.index(k, 0), index.index(k, 1), index.index(k, 2)}), k);
    ASSERT_EQ(index.flip(k, flip), index.compose({index.extent(0) - 1 - x, y, index.extent(2) - 1 - z}));
    const auto wrapped = [&](std::uint64_t i, std::int64_t by, int axis) {
      const auto extent = static_cast<std::int64_t>(index.extent(axis));
      return static_cast<std::uint64_t>(((static_cast<std::int64_t>(i) + by) % extent + extent) % extent);
    };
    ASSERT_EQ(index.shift(k, shift), index.compose({wrapped(x, -5, 0), wrapped(y, 1000003, 1), wrapped(z, -70001, 2)}));
    for (int axis = 0; axis < 3; ++axis)
      for (const std::uint64_t step : {2u, 7u, 64u, 1000u}) {
        const auto crinkle = index.make_crinkle(axis, step);
        ASSERT_EQ(index.uncrinkle(index.crinkle(k, crinkle), crinkle), k);
        ASSERT_LT(index.crinkle(k, crinkle), index.total());
      }
  }
}

TEST(KIndexLarge, totals_beyond_2_to_the_32_are_exact_in_64_bit) {
  check_large(AnyIndex<3>({70001, 70003, 37}));
  check_large(AnyIndex<3>({3, 2097151, 1466015503701}));  // just below 2^63
  check_large(PowerOfTwoIndex<3>({1u << 20, 1u << 19, 64}));
  check_large(PowerOfTwoIndex<3>({1u << 21, 1u << 21, 1u << 21}));
}

TEST(KIndexLarge, the_largest_32_bit_index_is_exact) {
  const AnyIndex<2, std::uint32_t> index({65535, 65537});
  const auto crinkle = index.make_crinkle(0, 2), local = index.make_crinkle(1, 256, Placement::local);
  std::mt19937 random(20261120);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::uint32_t k = trial == 0 ? index.total() - 1 : static_cast<std::uint32_t>(random() % index.total());
    ASSERT_TRUE((index.decompose(k) == Array<std::uint32_t, 2>{k % 65535, k / 65535}));
    ASSERT_EQ(index.uncrinkle(index.crinkle(k, crinkle), crinkle), k);
    ASSERT_EQ(index.uncrinkle(index.crinkle(k, local), local), k);
    ASSERT_EQ(index.neighbour(k, 1, 1), (k + 65535ull) % 4294967295ull);
  }
}

}  // namespace
}  // namespace crinkle::paper_test
