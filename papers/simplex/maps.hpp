// The maps that the suite `simplex` compares, for host and device: those of simplex.hpp as the paper uses them, in blocks of 16 × 16 or
// 8 × 8 × 8 threads, and full rectangles and boxes of as many blocks, which no map can beat.
// Source: Navarro, Bustos and Hitschfeld, "A non-linear GPU thread map for triangular domains", sections 4 to 6.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/simplex.hpp"

namespace crinkle::bench {

using BlockIndex = std::uint32_t;
inline constexpr BlockIndex block_side = 16, cube_side = 8;  // threads

/// Squares below a triangle of m rows: rows m … m + R, columns 0 … m, R the least with `cells` of them. Requires m ≥ 1.
template <class K>
class DenseSquares {
 public:
  static constexpr const char* name = "dense";
  using Integer = K;
  constexpr DenseSquares() = default;
  CRINKLE_HD constexpr DenseSquares(K m, K cells) : n_columns_(m), n_rows_((cells + m - 1) / m), width_(m) {}

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {n_columns_, n_rows_, 1}; }
  CRINKLE_HD constexpr K size() const { return n_columns_ * n_rows_; }
  CRINKLE_HD constexpr K n_cells() const { return size(); }
  CRINKLE_HD constexpr K first_row() const { return n_columns_; }
  CRINKLE_HD constexpr K end_row() const { return n_columns_ + n_rows_; }
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    const Division<K> place = width_.divide(w);
    return at(place.remainder, place.quotient);
  }
  CRINKLE_HD constexpr TriangleCell<K> at(K x, K y) const { return {static_cast<K>(n_columns_ + y), x, true}; }

 private:
  K n_columns_ = 1, n_rows_ = 0;
  Divisor<K> width_;
};

/// Cubes (i, j, k): k below m, j from m to 2m, i from 2m on, of as many layers as it takes. Requires m ≥ 1.
template <class K>
class DenseCubes {
 public:
  static constexpr const char* name = "dense";
  using Integer = K;
  constexpr DenseCubes() = default;
  CRINKLE_HD constexpr DenseCubes(K m, K cells) : side_(m), n_layers_((cells + m * m - 1) / (m * m)), width_(m) {}

  CRINKLE_HD constexpr Array<K, 3> grid() const { return {side_, side_, n_layers_}; }
  CRINKLE_HD constexpr K size() const { return side_ * side_ * n_layers_; }
  CRINKLE_HD constexpr K n_cells() const { return size(); }
  CRINKLE_HD constexpr K end_layer() const { return 2 * side_ + n_layers_; }
  CRINKLE_HD constexpr TetrahedronCell<K> at(K w) const {
    const Division<K> line = width_.divide(w), layer = width_.divide(line.quotient);
    return at(line.remainder, layer.remainder, layer.quotient);
  }
  CRINKLE_HD constexpr TetrahedronCell<K> at(K x, K y, K z) const {
    return {static_cast<K>(2 * side_ + z), static_cast<K>(side_ + y), x, true};
  }

 private:
  K side_ = 1, n_layers_ = 0;
  Divisor<K> width_;
};

/// The fold of a line of blocks: with the division that a grid of two dimensions saves.
class LinearFold : public Fold<BlockIndex> {
 public:
  static constexpr const char* name = "fold_linear";
  using Fold<BlockIndex>::Fold;
  CRINKLE_HD constexpr Array<BlockIndex, 3> grid() const { return {size(), 1, 1}; }
  CRINKLE_HD constexpr TriangleCell<BlockIndex> at(BlockIndex w) const { return Fold<BlockIndex>::at(w); }
};

/// The upper-triangular map, of threads as in the paper, turned by half a turn onto the lower triangle, (i, j) = (n − 1 − a, n − 1 − b):
/// so threads beside each other are in one row, as where a, b themselves say where a result lies.
template <class K>
class UpperThreads : public UpperTriangular<K> {
 public:
  static constexpr bool is_of_threads = true;
  constexpr UpperThreads() = default;
  CRINKLE_HD constexpr explicit UpperThreads(K n) : UpperTriangular<K>(n, Diagonal::with) {}
  CRINKLE_HD constexpr TriangleCell<K> at(K w) const {
    const TriangleCell<K> upper = UpperTriangular<K>::at(w);
    return {static_cast<K>(this->rows_ - 1 - upper.j), static_cast<K>(this->rows_ - 1 - upper.i), true};
  }
};

/// Whether a map takes blocks of a grid of two or three dimensions as they are.
template <class Map>
inline constexpr bool is_planar = requires(const Map& map, typename Map::Integer k) { map.at(k, k); };
template <class Map>
inline constexpr bool is_spatial = requires(const Map& map, typename Map::Integer k) { map.at(k, k, k); };
template <class Map>
inline constexpr bool is_of_threads = requires { Map::is_of_threads; };

/// Figure 3 compares roots, figure 5 maps; both have the bounding box first.
enum class Maps : std::uint8_t { roots, all };

/// take(map) for each of them, in blocks of n points, the one of threads in 32 bits where it fits. Requires n to be a multiple of
/// block_side, and n ≤ 2^17.
template <class Take>
void for_each_map(Maps maps, std::int64_t n, const Take& take) {
  const auto m = static_cast<BlockIndex>(n) / block_side;
  take(BoundingBox<BlockIndex>(m));
  take(Lambda<SquareRoot, BlockIndex>(m));
  take(Lambda<NewtonRoot, BlockIndex>(m));
  take(Lambda<ReciprocalRoot, BlockIndex>(m));
  if (maps == Maps::roots) {
    take(Lambda<IntegerRoot, BlockIndex>(m));
    return;
  }
  take(BalancedLambda<SquareRoot, BlockIndex>(m));
  take(RectangularBox<BlockIndex>(m));
  take(Recursive<BlockIndex>(m));
  if (UpperTriangular<BlockIndex>::fits(static_cast<BlockIndex>(n))) take(UpperThreads<std::uint32_t>(static_cast<std::uint32_t>(n)));
  else take(UpperThreads<std::uint64_t>(static_cast<std::uint64_t>(n)));
  take(Fold<BlockIndex>(m));
  take(LinearFold(m));
  take(Banded<BlockIndex>(m));
}

/// The same in three dimensions. Requires n to be a multiple of cube_side, and n ≤ 2^13.
template <class Take>
void for_each_tetrahedron(std::int64_t n, const Take& take) {
  const auto m = static_cast<BlockIndex>(n) / cube_side;
  take(TetrahedronBox<BlockIndex>(m));
  take(TetrahedronMap<BlockIndex>(m));
  take(BalancedTetrahedron<BlockIndex>(m));
}

}  // namespace crinkle::bench
