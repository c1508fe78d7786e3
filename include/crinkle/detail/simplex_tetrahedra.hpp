// Maps of blocks onto the tetrahedron i ≥ j ≥ k of m layers. The interface is that of simplex_triangles.hpp: grid(), size(), at(w),
// n_cells(), fits(), index_of(i, j, k). Source: Navarro, Bustos and Hitschfeld, section 6; its closed form
// of the layer overflows and fails at w = 0, see simplex_roots.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_digits.hpp"

namespace crinkle {

/// The result of a map of the tetrahedron; i, j and k mean nothing outside.
template <class K>
struct TetrahedronCell {
  K i;
  K j;
  K k;
  bool is_inside;
};

namespace detail {

/// The strict tetrahedron of m layers is the tetrahedron with its diagonals of m − 2 layers, every i two more and every j one more.
template <class K>
class Tetrahedron {
  static_assert(IsIndex<K>::value, "K is std::uint32_t or std::uint64_t");

 public:
  using Integer = K;
  CRINKLE_HD constexpr K n_cells() const { return tetrahedron_number(layers_); }

 protected:
  constexpr Tetrahedron() = default;
  CRINKLE_HD constexpr Tetrahedron(K m, Diagonal diagonal)
      : layers_(layers_of(m, diagonal)), gap_(diagonal == Diagonal::without ? K(1) : K(0)) {}

  CRINKLE_HD static constexpr K layers_of(K m, Diagonal diagonal) { return diagonal == Diagonal::with ? m : m < 2 ? K(0) : m - 2; }
  CRINKLE_HD constexpr TetrahedronCell<K> cell(const TripletOf<K>& t, bool is_inside = true) const {
    return {static_cast<K>(t.i + 2 * gap_), static_cast<K>(t.j + gap_), t.k, is_inside};
  }

  K layers_ = 0;
  K gap_ = 0;
};

}  // namespace detail

/// Section 6: cell w = Tet(i) + T(j) + k, by a cube root and the root that is named, both exact. Nothing is wasted.
template <class K = std::uint64_t, class Root = SquareRoot>
class TetrahedronMap : public detail::Tetrahedron<K> {
 public:
  static constexpr const char* name = "tetrahedron";
  constexpr TetrahedronMap() = default;
  CRINKLE_HD constexpr explicit TetrahedronMap(K m, Diagonal diagonal = Diagonal::with) : detail::Tetrahedron<K>(m, diagonal) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    return detail::tetrahedron_fits(TetrahedronMap::layers_of(m, diagonal));
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {size(), 1, 1}; }
  CRINKLE_HD constexpr K size() const { return this->n_cells(); }
  CRINKLE_HD constexpr TetrahedronCell<K> at(K w) const { return this->cell(triplet_of<Root>(w)); }
  CRINKLE_HD constexpr K index_of(K i, K j, K k) const {
    return tetrahedron_number(static_cast<K>(i - 2 * this->gap_)) + triangle_number(static_cast<K>(j - this->gap_)) + k;
  }
};

/// The same on the paper's cubic grid of side ⌈∛Tet(m)⌉.
template <class K = std::uint64_t, class Root = SquareRoot>
class BalancedTetrahedron : public detail::Tetrahedron<K> {
 public:
  static constexpr const char* name = "tetrahedron_balanced";
  constexpr BalancedTetrahedron() = default;
  CRINKLE_HD constexpr explicit BalancedTetrahedron(K m, Diagonal diagonal = Diagonal::with)
      : detail::Tetrahedron<K>(m, diagonal), side_(side_of(this->n_cells())) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    const K layers = BalancedTetrahedron::layers_of(m, diagonal);
    if (!detail::tetrahedron_fits(layers)) return false;
    const K side = side_of(tetrahedron_number(layers));
    return detail::product_fits(static_cast<K>(side * side), side);
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {side_, side_, side_}; }
  CRINKLE_HD constexpr K size() const { return side_ * side_ * side_; }
  CRINKLE_HD constexpr TetrahedronCell<K> at(K w) const { return this->cell(triplet_of<Root>(w), w < this->n_cells()); }
  CRINKLE_HD constexpr K index_of(K i, K j, K k) const {
    return tetrahedron_number(static_cast<K>(i - 2 * this->gap_)) + triangle_number(static_cast<K>(j - this->gap_)) + k;
  }

 private:
  // ⌈∛n⌉, bit by bit.
  CRINKLE_HD static constexpr K side_of(K n) {
    K root = 0;
    for (int bit = static_cast<int>(8 * sizeof(K)) / 3; bit >= 0; --bit) {
      const K more = root + (K(1) << bit);
      if (more <= n / more / more) root = more;
    }
    return root + (root * root * root < n ? K(1) : K(0));
  }
  K side_ = 0;
};

/// The box around the tetrahedron: block (x, y, z) is (i, j, k) = (z, y, x), inside where x ≤ y ≤ z. It wastes nearly five blocks of six.
template <class K = std::uint64_t>
class TetrahedronBox : public detail::Tetrahedron<K> {
 public:
  static constexpr const char* name = "tetrahedron_box";
  constexpr TetrahedronBox() = default;
  CRINKLE_HD constexpr explicit TetrahedronBox(K m, Diagonal diagonal = Diagonal::with)
      : detail::Tetrahedron<K>(m, diagonal), side_(this->layers_) {}
  CRINKLE_HD static constexpr bool fits(K m, Diagonal diagonal = Diagonal::with) {
    const K side = TetrahedronBox::layers_of(m, diagonal);
    return detail::product_fits(side, side) && detail::product_fits(static_cast<K>(side * side), side);
  }

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {this->layers_, this->layers_, this->layers_}; }
  CRINKLE_HD constexpr K size() const { return this->layers_ * this->layers_ * this->layers_; }
  CRINKLE_HD constexpr TetrahedronCell<K> at(K w) const {
    const Division<K> line = side_.divide(w), layer = side_.divide(line.quotient);
    return at(line.remainder, layer.remainder, layer.quotient);
  }
  /// The cell of block (x, y, z) of a grid of three dimensions, without a division.
  CRINKLE_HD constexpr TetrahedronCell<K> at(K x, K y, K z) const { return this->cell({z, y, x}, x <= y && y <= z); }
  CRINKLE_HD constexpr K index_of(K i, K j, K k) const {
    return ((i - 2 * this->gap_) * this->layers_ + (j - this->gap_)) * this->layers_ + k;
  }

 private:
  Divisor<K> side_;
};

}  // namespace crinkle
