// Division by multiplication equals division: all of 16 bits, every corner of 32 and 64 bits, and random numbers of every width.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>
#include <vector>

#include "crinkle/detail/hd.hpp"

namespace crinkle::divisor_test {
namespace {

static_assert(Divisor<std::uint32_t>(7).quotient(48) == 6 && Divisor<std::uint32_t>(7).remainder(48) == 6);
static_assert(Divisor<std::uint64_t>(10).quotient(~std::uint64_t{0}) == 1844674407370955161u);
static_assert(Divisor<std::uint32_t>().quotient(5) == 5 && Divisor<std::uint32_t>(0).quotient(5) == 5);

template <class K>
::testing::AssertionResult divides(const Divisor<K>& divisor, K n) {
  const K d = divisor.value();
  const Division<K> both = divisor.divide(n);
  if (divisor.quotient(n) == n / d && divisor.remainder(n) == n % d && both.quotient == n / d && both.remainder == n % d)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << n << " / " << d << " became " << divisor.quotient(n) << " rest " << divisor.remainder(n);
}

// The quotient never falls as n grows (neither t nor n − t does), so it is right everywhere if it is right on both sides of every step.
TEST(Divisor, every_16_bit_number_by_every_16_bit_divisor) {
  std::uint64_t n_wrong = 0;
  for (std::uint32_t d = 1; d < 65536; ++d) {
    const Divisor<std::uint32_t> narrow(d);
    const Divisor<std::uint64_t> wide(d);
    for (std::uint32_t quotient = 0; quotient * d < 65536; ++quotient)
      for (const std::uint32_t n : {quotient * d, quotient * d + d - 1}) {
        n_wrong += narrow.quotient(n) != quotient || narrow.remainder(n) != n - quotient * d;
        n_wrong += wide.quotient(n) != quotient || wide.remainder(n) != n - quotient * d;
      }
  }
  EXPECT_EQ(n_wrong, 0u);
}

template <class K>
std::vector<K> corners() {
  std::vector<K> result;
  for (int bit = 0; bit < static_cast<int>(8 * sizeof(K)); ++bit)
    for (const K near : {K(0), K(1), K(2), static_cast<K>(~K(0)), static_cast<K>(~K(0) - 1)})
      result.push_back(static_cast<K>((K(1) << bit) + near));
  for (const K last : {K(0), K(1), K(2)}) result.push_back(static_cast<K>(~K(0) - last));
  for (const K d : {3u, 5u, 7u, 11u, 641u, 6700417u, 65521u, 4294967291u}) result.push_back(d);
  return result;
}

template <class K>
void check_corners() {
  for (const K d : corners<K>()) {
    if (d == 0) continue;
    const Divisor<K> divisor(d);
    for (const K n : corners<K>()) {
      ASSERT_TRUE(divides(divisor, n));
      const K multiple = static_cast<K>(n / d * d);  // where a wrong multiplier shows first
      ASSERT_TRUE(divides(divisor, multiple));
      ASSERT_TRUE(divides(divisor, static_cast<K>(multiple - 1)));
    }
    const K last = static_cast<K>(~K(0) / d * d);
    ASSERT_TRUE(divides(divisor, last));
    ASSERT_TRUE(divides(divisor, static_cast<K>(last - 1)));
  }
}

TEST(Divisor, the_corners_of_32_bits) { check_corners<std::uint32_t>(); }
TEST(Divisor, the_corners_of_64_bits) { check_corners<std::uint64_t>(); }

template <class K>
void check_random() {
  std::mt19937_64 random(20261120);
  for (int trial = 0; trial < 20000; ++trial) {
    const K d = static_cast<K>(static_cast<K>(random()) >> (random() % (8 * sizeof(K))));
    if (d == 0) continue;
    const Divisor<K> divisor(d);
    for (int again = 0; again < 8; ++again) {
      const K n = static_cast<K>(static_cast<K>(random()) >> (random() % (8 * sizeof(K))));
      ASSERT_TRUE(divides(divisor, n));
      ASSERT_TRUE(divides(divisor, static_cast<K>(n / d * d)));
      ASSERT_TRUE(divides(divisor, static_cast<K>(n / d * d - 1)));
    }
  }
}

TEST(Divisor, random_numbers_of_every_width_in_32_bits) { check_random<std::uint32_t>(); }
TEST(Divisor, random_numbers_of_every_width_in_64_bits) { check_random<std::uint64_t>(); }

TEST(Divisor, the_product_by_halves_is_the_product) {
  EXPECT_TRUE(rc::check("high half of a 128-bit product", [](std::uint64_t a, std::uint64_t b) {
    for (const std::uint64_t x : {a, ~a, ~std::uint64_t{0}})
      for (const std::uint64_t y : {b, ~b, ~std::uint64_t{0}})
        RC_ASSERT(detail::multiply_high_by_halves(x, y) == detail::multiply_high(x, y));
  }));
}

}  // namespace
}  // namespace crinkle::divisor_test
