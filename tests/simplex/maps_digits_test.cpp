// Chains of up to 8 indices: numbers and chains by the definition, around every binomial up to 2^62, and where a binomial does not fit.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "simplex/maps_support.hpp"

namespace crinkle::maps_digits_test {
namespace {

using Long = std::uint64_t;

static_assert(simplex_digits<4>(Long{0}, Diagonal::without) == Array<Long, 4>{3, 2, 1, 0});
static_assert(simplex_digits<8>(Long{8}) == Array<Long, 8>{1, 1, 1, 1, 1, 1, 1, 1} && simplex_count<8>(Long{2}) == 9);
static_assert(index_of(simplex_digits<6>(Long{123456789})) == 123456789);

template <int m, class K>
std::string text_of(const Array<K, m>& digits) {
  std::string text;
  for (const K digit : digits) text += ' ' + std::to_string(digit);
  return text;
}

template <int m, class K>
bool is_chain(const Array<K, m>& digits, Diagonal diagonal) {
  for (int q = 0; q + 1 < m; ++q)
    if (diagonal == Diagonal::with ? digits[q] < digits[q + 1] : digits[q] <= digits[q + 1]) return false;
  return true;
}

template <int m, class K>
Wide number_of(const Array<K, m>& digits, Diagonal diagonal) {
  Wide number = 0;
  for (int q = 0; q < m; ++q) number += choose(Wide{digits[q]} + static_cast<Wide>(diagonal == Diagonal::with ? m - 1 - q : 0), m - q);
  return number;
}

// All chains below n, the next one made from the last by the definition of lexicographic order.
template <int m, class Root, class K>
void check_all(K n, Diagonal diagonal) {
  const K gap = diagonal == Diagonal::with ? 0 : 1;
  Array<K, m> expected{};
  for (int q = 0; q < m; ++q) expected[q] = static_cast<K>(m - 1 - q) * gap;
  const K count = simplex_count<m>(n, diagonal);
  ASSERT_TRUE(count == choose(diagonal == Diagonal::with ? Wide{n} + m - 1 : Wide{n}, m));
  for (K w = 0; w < count; ++w) {
    const Array<K, m> digits = simplex_digits<m, Root>(w, diagonal);
    ASSERT_TRUE(digits == expected) << m << " dimensions, " << name_of(diagonal) << ": " << w << " became" << text_of(digits)
                                    << " instead of" << text_of(expected);
    ASSERT_EQ(index_of(digits, diagonal), w);
    int q = m - 1;  // the last index that may grow
    while (q > 0 && expected[q] + 1 + gap > expected[q - 1]) --q;
    ++expected[q];
    for (int after = q + 1; after < m; ++after) expected[after] = static_cast<K>(m - 1 - after) * gap;
  }
  ASSERT_EQ(expected[0], std::max<K>(n, static_cast<K>(m - 1) * gap)) << "after all chains the next begins with n";
}

template <class K>
void check_dimensions() {
  for (const Diagonal diagonal : both_diagonals) {
    for (K n = 0; n < 14; ++n) {
      check_all<1, SquareRoot>(n, diagonal);
      check_all<2, SquareRoot>(n, diagonal);
      check_all<3, SquareRoot>(n, diagonal);
      check_all<4, SquareRoot>(n, diagonal);
      check_all<4, IntegerRoot>(n, diagonal);
      check_all<5, SquareRoot>(n, diagonal);
    }
    for (K n = 0; n < 11; ++n) {
      check_all<6, SquareRoot>(n, diagonal);
      check_all<7, SquareRoot>(n, diagonal);
      check_all<8, SquareRoot>(n, diagonal);
      check_all<8, IntegerRoot>(n, diagonal);
    }
    check_all<4, SquareRoot>(K(30), diagonal);
  }
}

TEST(Digits, every_chain_of_up_to_8_indices_in_32_bits) { check_dimensions<std::uint32_t>(); }
TEST(Digits, every_chain_of_up_to_8_indices_in_64_bits) { check_dimensions<std::uint64_t>(); }

template <int m, class Root, class K>
void check_number(K w) {
  for (const Diagonal diagonal : both_diagonals) {
    const Array<K, m> digits = simplex_digits<m, Root>(w, diagonal);
    ASSERT_TRUE((is_chain<m, K>(digits, diagonal) && number_of<m, K>(digits, diagonal) == w && index_of(digits, diagonal) == w))
        << m << " dimensions, " << name_of(diagonal) << ": " << w << " became" << text_of(digits);
  }
}

template <int m, class K>
void check_up_to(K last) {
  std::mt19937_64 random(20261120);
  for (int trial = 0; trial < 1000; ++trial) {
    const K anywhere = static_cast<K>(random() % last) >> (random() % (8 * sizeof(K) - 2));
    const K c = simplex_digits<m, IntegerRoot>(anywhere, Diagonal::without)[0];
    const K begin = static_cast<K>(choose(c, m));
    for (const K w :
         {anywhere, begin, static_cast<K>(begin + 1), static_cast<K>(begin - (begin > 0 ? 1 : 0)), static_cast<K>(last - begin)}) {
      check_number<m, SquareRoot>(w);
      if (trial % 10 == 0) check_number<m, IntegerRoot>(w);
    }
  }
  for (K below = 0; below < 50; ++below) check_number<m, SquareRoot>(static_cast<K>(last - below));
}

template <class K>
void check_every_dimension_up_to(K last) {
  check_up_to<1>(last);
  check_up_to<2>(last);
  check_up_to<3>(last);
  check_up_to<4>(last);
  check_up_to<5>(last);
  check_up_to<6>(last);
  check_up_to<7>(last);
  check_up_to<8>(last);
}

TEST(Digits, around_the_binomials_up_to_the_last_of_30_bits) { check_every_dimension_up_to(std::uint32_t{(1u << 30) - 1}); }
TEST(Digits, around_the_binomials_up_to_the_last_of_62_bits) { check_every_dimension_up_to((std::uint64_t{1} << 62) - 1); }

template <int m, class K>
void check_binomials() {
  const K all = static_cast<K>(~K(0));
  K c = 0;  // the last whose binomial fits; 2^33 is beyond it
  for (int bit = 32; bit >= 0; --bit) {
    const Wide next = Wide{c} + (Wide{1} << bit);
    if (next < all && choose(next, m) < all) c = static_cast<K>(next);
  }
  for (K near = 0; near < 50 && near <= c; ++near) ASSERT_TRUE(binomial<m>(static_cast<K>(c - near)) == choose(Wide{c} - near, m)) << m;
  for (K above = 1; above < 50; ++above) ASSERT_EQ(binomial<m>(static_cast<K>(c + above)), all) << m << " of " << c + above;
  for (int bit = 0; bit < static_cast<int>(8 * sizeof(K)); ++bit)
    ASSERT_TRUE((all >> bit) <= c || binomial<m>(static_cast<K>(all >> bit)) == all) << m << " of " << (all >> bit);
}

template <class K>
void check_every_binomial() {
  check_binomials<2, K>();
  check_binomials<3, K>();
  check_binomials<4, K>();
  check_binomials<5, K>();
  check_binomials<6, K>();
  check_binomials<7, K>();
  check_binomials<8, K>();
}

TEST(Digits, a_binomial_that_does_not_fit_is_the_largest_number) {
  check_every_binomial<std::uint32_t>();
  check_every_binomial<std::uint64_t>();
  EXPECT_EQ(simplex_count<8>(~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_TRUE(binomial<1>(~std::uint64_t{0}) == ~std::uint64_t{0} && binomial<1>(std::uint32_t{5}) == 5);
  EXPECT_EQ(simplex_count<1>(~std::uint64_t{0} - 1), ~std::uint64_t{0} - 1);
}

}  // namespace
}  // namespace crinkle::maps_digits_test
