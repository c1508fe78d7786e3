// Numbers of cells, and back: pairs, triplets, and the simplex of m ≤ 8 dimensions, whose cells are the chains
//     d_1 ≥ d_2 ≥ … ≥ d_m ≥ 0,   w = C(d_1 + m − 1, m) + C(d_2 + m − 2, m − 1) + … + C(d_m, 1),
// and without the diagonals d_1 > d_2 > … > d_m, w = C(d_1, m) + … + C(d_m, 1): the combinatorial number system. Numbers rise in
// lexicographic order, the last index fastest.
// Source: D. H. Lehmer, "The machine tools of combinatorics", 1964; for m = 2 and 3 see simplex_roots.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_roots.hpp"

namespace crinkle {

/// How many cells a simplex of side n has in m dimensions: C(n + m − 1, m), without the diagonals C(n, m); ~K(0) where it is more.
template <int m, class K>
CRINKLE_HD constexpr K simplex_count(K n, Diagonal diagonal = Diagonal::with) {
  if (diagonal == Diagonal::without) return binomial<m>(n);
  const K top = n + K(m - 1);
  return top < n ? static_cast<K>(~K(0)) : binomial<m>(top);
}

/// Row and column of cell w of the triangle: w = T(i) + j with the diagonal, T(i − 1) + j without.
/// Requires: w ≤ Root::last<K>, which is every w.
template <class Root = SquareRoot, class K>
CRINKLE_HD constexpr PairOf<K> pair_of(K w, Diagonal diagonal = Diagonal::with) {
  const PairOf<K> p = detail::row_and_column<Root>(w);
  return {static_cast<K>(p.i + (diagonal == Diagonal::without ? K(1) : K(0))), p.j};
}

/// The number of a pair, pair_of(index_of(p)) = p. Requires: i ≥ j, without the diagonal i > j; a number that fits K.
template <class K>
CRINKLE_HD constexpr K index_of(const PairOf<K>& p, Diagonal diagonal = Diagonal::with) {
  return triangle_number(static_cast<K>(p.i - (diagonal == Diagonal::without ? K(1) : K(0)))) + p.j;
}

/// Layer, row and column of cell w of the tetrahedron: w = Tet(i) + T(j) + k with the diagonals, Tet(i − 2) + T(j − 1) + k without.
/// Root is that of the row; the layer is a cube root, or with IntegerRoot integers only. Exact for every w.
template <class Root = SquareRoot, class K>
CRINKLE_HD constexpr TripletOf<K> triplet_of(K w, Diagonal diagonal = Diagonal::with) {
  const K i = detail::last_with_binomial<3, Root>(w) - 2;
  const PairOf<K> p = detail::row_and_column<Root>(static_cast<K>(w - tetrahedron_number(i)));
  const K gap = diagonal == Diagonal::without ? K(1) : K(0);
  return {static_cast<K>(i + 2 * gap), static_cast<K>(p.i + gap), p.j};
}

/// The number of a triplet. Requires: i ≥ j ≥ k, without the diagonals i > j > k; a number that fits K.
template <class K>
CRINKLE_HD constexpr K index_of(const TripletOf<K>& t, Diagonal diagonal = Diagonal::with) {
  const K gap = diagonal == Diagonal::without ? K(1) : K(0);
  return tetrahedron_number(static_cast<K>(t.i - 2 * gap)) + triangle_number(static_cast<K>(t.j - gap)) + t.k;
}

namespace detail {

// A step of one dimension: the digit of l dimensions, strictly falling, and what is left of w.
template <int l, int m, class Root, class K>
CRINKLE_HD constexpr void strict_digits(K w, Array<K, m>& digits) {
  if constexpr (l == 1) {
    digits[m - 1] = w;
  } else if constexpr (l == 2) {
    const PairOf<K> p = row_and_column<Root>(w);
    digits[m - 2] = p.i + 1;
    digits[m - 1] = p.j;
  } else {
    const K digit = last_with_binomial<l, Root>(w);
    digits[m - l] = digit;
    strict_digits<l - 1, m, Root>(static_cast<K>(w - binomial<l>(digit)), digits);
  }
}

template <int l, int m, class K>
CRINKLE_HD constexpr K strict_index(const Array<K, m>& digits, const Array<K, m>& gaps) {
  const K own = binomial<l>(static_cast<K>(digits[m - l] + gaps[m - l]));
  if constexpr (l == 1) {
    return own;
  } else {
    return own + strict_index<l - 1, m>(digits, gaps);
  }
}

// These gaps, added to a chain, make it strictly falling: d_1 + m − 1, d_2 + m − 2, …, d_m.
template <int m, class K>
CRINKLE_HD constexpr Array<K, m> gaps_of(Diagonal diagonal) {
  Array<K, m> gaps{};
  for (int q = 0; q < m; ++q) gaps[q] = diagonal == Diagonal::with ? static_cast<K>(m - 1 - q) : K(0);
  return gaps;
}

}  // namespace detail

/// The indices of cell w, slowest (greatest) first. Requires: w < 2^62 (32 bits: < 2^30); m ≤ 3 takes every w.
/// Cost: m roots, and a few binomials for each of those above 3 dimensions.
template <int m, class Root = SquareRoot, class K>
CRINKLE_HD constexpr Array<K, m> simplex_digits(K w, Diagonal diagonal = Diagonal::with) {
  Array<K, m> digits{};
  detail::strict_digits<m, m, Root>(w, digits);
  const Array<K, m> gaps = detail::gaps_of<m, K>(diagonal);
  for (int q = 0; q < m; ++q) digits[q] -= gaps[q];
  return digits;
}

/// The number of a cell, index_of(simplex_digits<m>(w)) = w. Requires: a chain as the diagonal says; a number that fits K.
template <int m, class K>
CRINKLE_HD constexpr K index_of(const Array<K, m>& digits, Diagonal diagonal = Diagonal::with) {
  return detail::strict_index<m, m>(digits, detail::gaps_of<m, K>(diagonal));
}

}  // namespace crinkle
