// Cells of a triangle, a tetrahedron and an m-simplex, and how many there are:
//     T(n) = n(n + 1)/2,   Tet(n) = n(n + 1)(n + 2)/6,   C(c, m) = c!/(m!(c − m)!).
// T and Tet are right modulo 2^W for every argument, W the bits of K: the factor that is even is halved before the product, and the
// division by 3, which leaves no rest, is a product with the inverse of 3. So differences of them are right wherever they fit.
// Source: Navarro, Bustos and Hitschfeld, "A non-linear GPU thread map for triangular domains", sections 3 and 6.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle {

/// Whether the cells with equal indices belong to the domain: i ≥ j, or i > j only.
enum class Diagonal : std::uint8_t { without, with };

/// A cell of the lower triangle: row i, column j, i ≥ j; without the diagonal i > j.
template <class K>
struct PairOf {
  K i;
  K j;
  CRINKLE_HD friend constexpr bool operator==(const PairOf& a, const PairOf& b) { return a.i == b.i && a.j == b.j; }
  CRINKLE_HD friend constexpr bool operator!=(const PairOf& a, const PairOf& b) { return !(a == b); }
};

/// A cell of the tetrahedron: layer i, row j and column k of the layer, i ≥ j ≥ k; without the diagonals i > j > k.
/// The paper's eq. 17 names them the other way round: its k is the layer, its j the row, its i the column.
template <class K>
struct TripletOf {
  K i;
  K j;
  K k;
  CRINKLE_HD friend constexpr bool operator==(const TripletOf& a, const TripletOf& b) { return a.i == b.i && a.j == b.j && a.k == b.k; }
  CRINKLE_HD friend constexpr bool operator!=(const TripletOf& a, const TripletOf& b) { return !(a == b); }
};

/// T(n): cells of a triangle of n rows with its diagonal.
template <class K>
CRINKLE_HD constexpr K triangle_number(K n) {
  return static_cast<K>(((n >> 1) + (n & 1)) * (n | 1));
}

/// Tet(n): cells of a tetrahedron of n layers with its diagonals.
template <class K>
CRINKLE_HD constexpr K tetrahedron_number(K n) {
  constexpr K third = static_cast<K>(~K(0) / 3 * 2 + 1);  // 3 · third = 1 modulo 2^W
  return static_cast<K>(triangle_number(n) * (n + 2) * third);
}

/// C(c, m), or ~K(0) where it is more.
template <int m, class K>
CRINKLE_HD constexpr K binomial(K c) {
  static_assert(m >= 1 && m <= 8, "a simplex has 1 to 8 dimensions");
  if (c < K(m)) return 0;
  K result = 1;
  for (K q = 1; q <= K(m); ++q) {
    const K factor = c - K(m) + q;  // result · factor / q without its product, which may be eight times as large
    const K whole = result / q, rest = result % q;
    const K product = whole * factor, sum = product + rest * factor / q;
    if (detail::multiply_high(whole, factor) != 0 || sum < product) return static_cast<K>(~K(0));
    result = sum;
  }
  return result;
}

namespace detail {

template <class K>
struct IsIndex {
  static constexpr bool value = Same<K, std::uint32_t>::value || Same<K, std::uint64_t>::value;
};

/// Whether a·b fits K.
template <class K>
CRINKLE_HD constexpr bool product_fits(K a, K b) {
  return multiply_high(a, b) == 0;
}

/// Whether T(n) fits K.
template <class K>
CRINKLE_HD constexpr bool triangle_fits(K n) {
  return product_fits(static_cast<K>((n >> 1) + (n & 1)), static_cast<K>(n | 1));
}

/// Whether Tet(n) fits K.
template <class K>
CRINKLE_HD constexpr bool tetrahedron_fits(K n) {
  return n < (~K(0) >> 1) && binomial<3>(static_cast<K>(n + 2)) != ~K(0);
}

/// ⌊log2 w⌋ + 1, 0 for 0.
template <class K>
CRINKLE_HD constexpr int bit_width(K w) {
  int width = 0;
  for (int step = static_cast<int>(4 * sizeof(K)); step > 0; step /= 2) {
    if ((w >> step) == 0) continue;
    width += step;
    w = static_cast<K>(w >> step);
  }
  return width + static_cast<int>(w);
}

/// The number below 0 that a difference of two K became.
template <class K>
CRINKLE_HD constexpr bool is_below_zero(K difference) {
  return (difference >> (8 * sizeof(K) - 1)) != 0;
}

}  // namespace detail

}  // namespace crinkle
