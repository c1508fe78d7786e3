// Maps of blocks (or threads, or tiles) onto the lower triangle of m rows, without a root, or with one that is exact. They share:
//     Map map(m, diagonal);          m blocks along a side, 0 included
//     map.grid()                     extents of the parallel space, x fastest; map.size(), their product
//     map.at(w)                      cell (i, j) of number w = x + grid()[0]·y in [0, size()), and whether it is inside the triangle
//     map.n_cells()                  cells of the triangle: size() − n_cells() are outside, and wasted
//     map.index_of(i, j)             the w of a cell
//     Map::fits(m, diagonal)         whether all of it fits K; nothing here throws
// Maps are plain values: pass them to a kernel by value. Divisions are multiplications prepared by the constructor (Divisor).
// Source: Navarro, Bustos and Hitschfeld, sections 3 and 4.2; with their misprints corrected.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_digits.hpp"

namespace crinkle {

/// The result of a map of the triangle; i and j mean nothing outside.
template <class K>
struct TriangleCell {
  K i;
  K j;
  bool is_inside;
};

namespace detail {

/// The strict triangle of m rows is the triangle with its diagonal of m − 1 rows and every i one more: said here, for all maps.
template <class K>
class Triangle {
  static_assert(IsIndex<K>::value, "K is std::uint32_t or std::uint64_t");

 public:
  using Integer = K;
  CRINKLE_HD constexpr K n_cells() const { return triangle_number(rows_); }

 protected:
  constexpr Triangle() = default;
  CRINKLE_HD constexpr Triangle(K m, Diagonal diagonal) : rows_(rows_of(m, diagonal)), gap_(diagonal == Diagonal::without ? K(1) : K(0)) {}

  CRINKLE_HD static constexpr K rows_of(K m, Diagonal diagonal) { return m - (diagonal == Diagonal::without && m != 0 ? K(1) : K(0)); }
  CRINKLE_HD constexpr TriangleCell<K> cell(K i, K j, bool is_inside = true) const { return {static_cast<K>(i + gap_), j, is_inside}; }
  CRINKLE_HD constexpr TriangleCell<K> cell(const PairOf<K>& p, bool is_inside = true) const { return cell(p.i, p.j, is_inside); }

  K rows_ = 0;
  K gap_ = 0;
};

}  // namespace detail

/// Section 3: cell w is row and column of the w-th block, w = T(i) + j, by the root that is named. Nothing is wasted.
template <class Root = SquareRoot, class K = std::uint64_t>
class Lambda : public detail::Triangle<K> {
 public:
  static constexpr const char* name = Root::name;
  constexpr Lambda() = default;
  CRINKLE_HD constexpr explicit Lambda(K m, Diagonal diagonal = Diagonal::with) : detail::Triangle<K>(m, diagonal) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    return detail::triangle_fits(Lambda::rows_of(m, diagonal));
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {size(), 1, 1}; }
  CRINKLE_HD constexpr K size() const { return this->n_cells(); }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const { return this->cell(pair_of<Root>(w)); }
  CRINKLE_HD constexpr K index_of(K i, K j) const { return triangle_number(static_cast<K>(i - this->gap_)) + j; }
};

/// The same on the paper's balanced grid, m′ × m′ with m′ = ⌈√T(m)⌉, which wastes at most 2m′ − 2 blocks.
template <class Root = SquareRoot, class K = std::uint64_t>
class BalancedLambda : public detail::Triangle<K> {
 public:
  static constexpr const char* name = Root::balanced_name;
  constexpr BalancedLambda() = default;
  CRINKLE_HD constexpr explicit BalancedLambda(K m, Diagonal diagonal = Diagonal::with)
      : detail::Triangle<K>(m, diagonal), side_(side_of(this->n_cells())) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    const K rows = BalancedLambda::rows_of(m, diagonal);
    if (!detail::triangle_fits(rows)) return false;
    const K side = side_of(triangle_number(rows));
    return detail::product_fits(side, side);
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {side_, side_, 1}; }
  CRINKLE_HD constexpr K size() const { return side_ * side_; }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const { return this->cell(pair_of<Root>(w), w < this->n_cells()); }
  CRINKLE_HD constexpr K index_of(K i, K j) const { return triangle_number(static_cast<K>(i - this->gap_)) + j; }

 private:
  // ⌈√n⌉, bit by bit.
  CRINKLE_HD static constexpr K side_of(K n) {
    K root = 0;
    for (int bit = static_cast<int>(4 * sizeof(K)) - 1; bit >= 0; --bit) {
      const K more = root + (K(1) << bit);
      if (more <= n / more) root = more;
    }
    return root + (root * root < n ? K(1) : K(0));
  }
  K side_ = 0;
};

/// The box around the triangle: block (x, y) is cell (i, j) = (y, x), inside where x ≤ y. It wastes m(m − 1)/2 blocks, nearly half.
template <class K = std::uint64_t>
class BoundingBox : public detail::Triangle<K> {
 public:
  static constexpr const char* name = "bounding_box";
  constexpr BoundingBox() = default;
  CRINKLE_HD constexpr explicit BoundingBox(K m, Diagonal diagonal = Diagonal::with)
      : detail::Triangle<K>(m, diagonal), width_(this->rows_) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    const K rows = BoundingBox::rows_of(m, diagonal);
    return detail::product_fits(rows, rows);
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {this->rows_, this->rows_, 1}; }
  CRINKLE_HD constexpr K size() const { return this->rows_ * this->rows_; }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    const Division<K> place = width_.divide(w);
    return at(place.remainder, place.quotient);
  }
  /// The cell of block (x, y) of a grid of two dimensions, without a division.
  CRINKLE_HD constexpr TriangleCell<K> at(K x, K y) const { return this->cell(y, x, x <= y); }
  CRINKLE_HD constexpr K index_of(K i, K j) const { return (i - this->gap_) * this->rows_ + j; }

 private:
  Divisor<K> width_;
};

/// Section 4.2, the rectangular box: ⌈m/2⌉ × (m + 1); the part of the triangle right of the middle is turned by half a turn and put above
/// the rest. Below its diagonal (x < y) block (x, y) is (y − 1, x), else (m − 1 − y, m − 1 − x). An odd m has the column in the middle
/// twice, of which the turned one, (m + 1)/2 blocks, is wasted. The paper's threads are blocks here; the formula is the same.
template <class K = std::uint64_t>
class RectangularBox : public detail::Triangle<K> {
 public:
  static constexpr const char* name = "rectangular_box";
  constexpr RectangularBox() = default;
  CRINKLE_HD constexpr explicit RectangularBox(K m, Diagonal diagonal = Diagonal::with)
      : detail::Triangle<K>(m, diagonal), width_(width_of(this->rows_)) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    const K rows = RectangularBox::rows_of(m, diagonal);
    return rows < ~K(0) && detail::product_fits(width_of(rows), static_cast<K>(rows + 1));
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {width_of(this->rows_), static_cast<K>(this->rows_ + 1), 1}; }
  CRINKLE_HD constexpr K size() const { return width_of(this->rows_) * (this->rows_ + 1); }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    const Division<K> place = width_.divide(w);
    return at(place.remainder, place.quotient);
  }
  /// The cell of block (x, y) of a grid of two dimensions, without a division.
  CRINKLE_HD constexpr TriangleCell<K> at(K x, K y) const {
    const K rows = this->rows_;
    if (x < y) return this->cell(static_cast<K>(y - 1), x);
    return this->cell(static_cast<K>(rows - 1 - y), static_cast<K>(rows - 1 - x), 2 * x + 1 != rows);
  }
  CRINKLE_HD constexpr K index_of(K i, K j) const {
    const K row = i - this->gap_, width = width_of(this->rows_);
    return j < width ? (row + 1) * width + j : (this->rows_ - 1 - row) * width + (this->rows_ - 1 - j);
  }

 private:
  CRINKLE_HD static constexpr K width_of(K rows) { return (rows >> 1) + (rows & 1); }
  Divisor<K> width_;
};

/// The rectangular fold: exact, without a root, nothing wasted. Row r from above and row r from below share a line of the grid,
///     m even: (m + 1) × m/2,   m odd: m × (m + 1)/2 (the last row has the first line for itself);
/// block (x, y) is (m − 1 − y, x) for x < m − y, else (y, x − (m − y)), for odd m (y − 1, x − (m − y)).
template <class K = std::uint64_t>
class Fold : public detail::Triangle<K> {
 public:
  static constexpr const char* name = "fold";
  constexpr Fold() = default;
  CRINKLE_HD constexpr explicit Fold(K m, Diagonal diagonal = Diagonal::with)
      : detail::Triangle<K>(m, diagonal), width_(static_cast<K>(this->rows_ | 1)) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    return detail::triangle_fits(Fold::rows_of(m, diagonal));
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {static_cast<K>(this->rows_ | 1), height(), 1}; }
  CRINKLE_HD constexpr K size() const { return this->n_cells(); }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    const Division<K> place = width_.divide(w);
    return at(place.remainder, place.quotient);
  }
  /// The cell of block (x, y) of a grid of two dimensions, without a division.
  CRINKLE_HD constexpr TriangleCell<K> at(K x, K y) const {
    const K longer = this->rows_ - y;  // blocks of the row from below
    return x < longer ? this->cell(static_cast<K>(longer - 1), x)
                      : this->cell(static_cast<K>(y - (this->rows_ & 1)), static_cast<K>(x - longer));
  }
  CRINKLE_HD constexpr K index_of(K i, K j) const {
    const K row = i - this->gap_, from_below = this->rows_ - 1 - row;
    if (from_below < height()) return from_below * (this->rows_ | 1) + j;
    const K y = row + (this->rows_ & 1);
    return y * (this->rows_ | 1) + (this->rows_ - y) + j;
  }

 private:
  CRINKLE_HD constexpr K height() const { return (this->rows_ >> 1) + (this->rows_ & 1); }
  Divisor<K> width_;
};

/// The map for those who do not choose.
template <class K = std::uint64_t>
using TriangleMap = Fold<K>;

}  // namespace crinkle
