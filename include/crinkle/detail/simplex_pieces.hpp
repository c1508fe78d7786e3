// Maps onto the triangle piece by piece: Recursive, squares that double from level to level; Banded, bands of a few rows that share
// their columns; UpperTriangular, the rows of the upper triangle. The interface is that of simplex_triangles.hpp.
// Source: Navarro, Bustos and Hitschfeld, section 4.2, where Ries et al.'s recursive partition is defined for m = m0·2^k only, and Avril et
// al.'s upper-triangular map counts pairs from 1 but their numbers from 0.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_triangles.hpp"

namespace crinkle {

/// The recursive partition: a triangle of M = m0·2^k rows is 2^k triangles of m0 rows along the diagonal and, at level l = 0 … k − 1,
/// 2^(k − 1 − l) squares of m0·2^l blocks a side. All levels are one number: squares from small to large, which are twice as many blocks
/// from level to level, then the triangles, each in a box of m0 × m0 (the paper's extra pass). Other m are padded: k is the least with
/// ⌈m/2^k⌉ ≤ 8 and m0 = ⌈m/2^k⌉, so that M < 5/4·m; blocks of rows from m on are outside. No root.
template <class K = std::uint64_t>
class Recursive : public detail::Triangle<K> {
 public:
  static constexpr const char* name = "recursive";
  constexpr Recursive() = default;
  CRINKLE_HD constexpr explicit Recursive(K m, Diagonal diagonal = Diagonal::with)
      : detail::Triangle<K>(m, diagonal), level_(level_of(this->rows_)), base_(base_of(this->rows_)), side_(base_), square_(base_ * base_) {
    if (level_ > 0) {
      const K first = square_.value() << (level_ - 1);  // blocks of level 0
      first_ = Divisor<K>(first);
      n_in_squares_ = first * ((K(1) << level_) - 1);
    }
  }
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    // M²/2 + M·m0/2 = m0²·2^(k − 1)·(2^k + 1), where m0² ≤ 64 and 2^k < m
    const K rows = Recursive::rows_of(m, diagonal), base = base_of(rows), n_triangles = K(1) << level_of(rows);
    if (n_triangles == 1) return true;
    return detail::product_fits(static_cast<K>(base * base), static_cast<K>(n_triangles / 2)) &&
           detail::product_fits(static_cast<K>(base * base * (n_triangles / 2)), static_cast<K>(n_triangles + 1));
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {size(), 1, 1}; }
  CRINKLE_HD constexpr K size() const { return n_in_squares_ + (base_ * base_ << level_); }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    if (w >= n_in_squares_) {
      const Division<K> triangle = square_.divide(static_cast<K>(w - n_in_squares_));
      const Division<K> place = side_.divide(triangle.remainder);
      const K corner = triangle.quotient * base_, i = corner + place.quotient;
      return this->cell(i, static_cast<K>(corner + place.remainder), place.remainder <= place.quotient && i < this->rows_);
    }
    const int level = detail::bit_width(static_cast<K>(first_.quotient(w) + 1)) - 1;
    const K in_level = w - first_.value() * ((K(1) << level) - 1);
    const K square = square_.quotient(static_cast<K>(in_level >> (2 * level)));
    const K in_square = in_level - ((square * square_.value()) << (2 * level));
    const K row = side_.quotient(static_cast<K>(in_square >> level)), side = base_ << level;
    const K i = (2 * square + 1) * side + row;
    return this->cell(i, static_cast<K>(2 * square * side + in_square - row * side), i < this->rows_);
  }
  CRINKLE_HD constexpr K index_of(K i, K j) const {
    const K row = i - this->gap_, a = side_.quotient(row), b = side_.quotient(j);
    if (a == b) return n_in_squares_ + a * square_.value() + (row - a * base_) * base_ + (j - a * base_);
    const int level = detail::bit_width(static_cast<K>(a ^ b)) - 1;  // of the square where the two halves meet
    const K square = a >> (level + 1), side = base_ << level;
    return first_.value() * ((K(1) << level) - 1) + ((square * square_.value()) << (2 * level)) + (row - (2 * square + 1) * side) * side +
           (j - 2 * square * side);
  }

 private:
  CRINKLE_HD static constexpr int level_of(K rows) {
    int level = 0;
    while (rounded_up(rows, level) > 8) ++level;
    return level;
  }
  CRINKLE_HD static constexpr K base_of(K rows) { return rounded_up(rows, level_of(rows)); }
  CRINKLE_HD static constexpr K rounded_up(K rows, int level) {
    return (rows >> level) + ((rows & ((K(1) << level) - 1)) != 0 ? K(1) : K(0));
  }

  int level_ = 0;       // k
  K base_ = 0;          // m0
  K n_in_squares_ = 0;  // blocks of all squares
  Divisor<K> side_;     // m0
  Divisor<K> square_;   // m0²
  Divisor<K> first_;    // blocks of level 0, m0²·2^(k − 1)
};

/// Bands of G rows, which go through their columns together, so that G blocks after each other share a column's operands; the triangle at
/// the end of a band goes row by row. Band b begins at number T(b·G). Nothing is wasted.
template <class K = std::uint64_t, class Root = SquareRoot>
class Banded : public detail::Triangle<K> {
 public:
  static constexpr const char* name = "banded";
  constexpr Banded() = default;
  /// Requires: rows_of_band ≥ 1; 0 is taken as 1.
  CRINKLE_HD constexpr explicit Banded(K m, Diagonal diagonal = Diagonal::with, K rows_of_band = 8)
      : detail::Triangle<K>(m, diagonal), band_(rows_of_band), last_(band_.remainder(this->rows_)) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    return detail::triangle_fits(Banded::rows_of(m, diagonal));
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {size(), 1, 1}; }
  CRINKLE_HD constexpr K size() const { return this->n_cells(); }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    const K first = first_row(pair_of<Root>(w).i), height = height_from(first);
    const K in_band = w - triangle_number(first), n_before = first * height;
    if (in_band < n_before) {
      const Division<K> place = (height == band_.value() ? band_ : last_).divide(in_band);
      return this->cell(static_cast<K>(first + place.remainder), place.quotient);
    }
    const PairOf<K> p = pair_of<Root>(static_cast<K>(in_band - n_before));
    return this->cell(static_cast<K>(first + p.i), static_cast<K>(first + p.j));
  }
  CRINKLE_HD constexpr K index_of(K i, K j) const {
    const K row = i - this->gap_, first = first_row(row), height = height_from(first), begin = triangle_number(first);
    if (j < first) return begin + j * height + (row - first);
    return begin + first * height + triangle_number(static_cast<K>(row - first)) + (j - first);
  }

 private:
  CRINKLE_HD constexpr K first_row(K row) const { return band_.quotient(row) * band_.value(); }
  CRINKLE_HD constexpr K height_from(K first) const { return this->rows_ - first < band_.value() ? this->rows_ - first : band_.value(); }
  Divisor<K> band_;  // G
  Divisor<K> last_;  // m mod G, the rows of the last band where it is not a whole one
};

/// The upper triangle row by row, of threads (or blocks): number w is the pair a ≤ b, without the diagonal a < b, in the order
/// (0, 0), (0, 1) …, (0, m − 1), (1, 1) …, and the cell is (i, j) = (b, a). Without the diagonal this is SciPy's condensed order.
///     a = ⌊(2m + 1 − √((2m + 1)² − 8w))/2⌋,   b = a + w − a(2m + 1 − a)/2,   counted from 0.
/// Exact where (2m + 1)² fits K: m ≤ 32 767 in 32 bits, 2^31 − 1 in 64 (one more without the diagonal). Nothing is wasted.
template <class K = std::uint64_t>
class UpperTriangular : public detail::Triangle<K> {
 public:
  static constexpr const char* name = "upper_triangular";
  constexpr UpperTriangular() = default;
  CRINKLE_HD constexpr explicit UpperTriangular(K m, Diagonal diagonal = Diagonal::with) : detail::Triangle<K>(m, diagonal) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    return UpperTriangular::rows_of(m, diagonal) < (K(1) << (4 * sizeof(K) - 1));
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {size(), 1, 1}; }
  CRINKLE_HD constexpr K size() const { return this->n_cells(); }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    const K a = row_of(w), b = a + (w - start(a));
    return this->cell(b, a);
  }
  CRINKLE_HD constexpr K index_of(K i, K j) const { return start(j) + (i - this->gap_ - j); }

 private:
  CRINKLE_HD constexpr K start(K a) const { return a * (2 * this->rows_ + 1 - a) >> 1; }
  CRINKLE_HD constexpr K row_of(K w) const {
    if (__builtin_is_constant_evaluated())  // the triangle seen from its other end
      return this->rows_ - 1 - detail::row_by_bits(static_cast<K>(this->n_cells() - 1 - w)).i;
    const K odd = 2 * this->rows_ + 1;
    // The root rounded to the nearest, less than 1 off, gives a or a + 1.
    using Float = detail::Number<K>;
    const K s = static_cast<K>(odd + 1 - static_cast<K>(detail::square_root(static_cast<Float>(odd * odd - 8 * w)) + Float(0.5))) >> 1;
    return s - (start(s) > w ? K(1) : K(0));
  }
};

}  // namespace crinkle
