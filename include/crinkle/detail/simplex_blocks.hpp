// Which pairs and triplets every thread of every block of a loop on a GPU works on. Blocks have tiles of `side` things, threads lie along
// the fastest index, and so neighbours in a warp have neighbouring last indices:
//     pairs:     j = j_begin + t mod side,  i = i_begin + t div side + s·(threads/side),           s = 0 … steps − 1
//     triplets:  k = k_begin + t mod side,  j = j_begin + t div side + (s mod J)·(threads/side),   i = i_begin + s div J,  J = steps/side
// A map's row ≥ column is a pair's j ≥ i. Also how blocks are spread over launches where a grid does not hold them all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_tetrahedra.hpp"
#include "crinkle/detail/simplex_triangles.hpp"

namespace crinkle {

namespace detail {

/// ⌈n / side⌉ as the map's integer; the largest one where it does not fit, which no map takes.
template <class K>
CRINKLE_HD constexpr K tiles_of(std::int64_t n, int side) {
  const std::uint64_t tiles = (static_cast<std::uint64_t>(n) + static_cast<std::uint64_t>(side) - 1) / static_cast<std::uint64_t>(side);
  return tiles > static_cast<K>(~K(0)) ? static_cast<K>(~K(0)) : static_cast<K>(tiles);
}

/// Calls launch(first, count) for [0, n_blocks) in parts of at most `most`.
template <class Launch>
void in_launches(std::uint64_t n_blocks, std::uint64_t most, const Launch& launch) {
  for (std::uint64_t first = 0; first < n_blocks; first += most) launch(first, n_blocks - first < most ? n_blocks - first : most);
}

}  // namespace detail

template <class Map_ = TriangleMap<std::uint64_t>, int side_ = 64, int threads_ = 256>
struct PairBlocks {
  using Map = Map_;
  static constexpr int side = side_, threads = threads_, steps = side * side / threads, n_values = 2 * side;
  static_assert(threads % side == 0 && side * side % threads == 0,
                "threads are whole rows of a tile, and a tile is whole steps of threads");

  Map map;
  std::int64_t n = 0, gap = 0;

  constexpr PairBlocks() = default;
  /// Requires: fits(n).
  CRINKLE_HD constexpr PairBlocks(std::int64_t n_things, Diagonal diagonal)
      : map(detail::tiles_of<typename Map::Integer>(n_things, side), Diagonal::with),
        n(n_things),
        gap(diagonal == Diagonal::without ? 1 : 0) {}
  CRINKLE_HD static constexpr bool fits(std::int64_t n_things) {
    return Map::fits(detail::tiles_of<typename Map::Integer>(n_things, side), Diagonal::with);
  }
  CRINKLE_HD constexpr std::uint64_t n_blocks() const { return map.size(); }

  struct Tile {
    std::int64_t i_begin, j_begin;
    bool is_inside;
  };
  CRINKLE_HD constexpr Tile tile(std::uint64_t block) const {
    const auto cell = map.at(static_cast<typename Map::Integer>(block));
    return {static_cast<std::int64_t>(cell.j) * side, static_cast<std::int64_t>(cell.i) * side, cell.is_inside};
  }

  CRINKLE_HD static constexpr int column(int thread) { return thread % side; }
  CRINKLE_HD static constexpr int row(int thread, int step) { return thread / side + step * (threads / side); }
  CRINKLE_HD constexpr bool is_pair(std::int64_t i, std::int64_t j) const { return j < n && i + gap <= j; }
  /// The thing whose value lies at `place` of n_values in shared memory: rows, then columns. It may be beyond the last.
  CRINKLE_HD constexpr std::int64_t thing(const Tile& tile, int place) const {
    return place < side ? tile.i_begin + place : tile.j_begin + (place - side);
  }
};

template <class Map_ = TetrahedronMap<std::uint64_t>, int side_ = 32, int threads_ = 256>
struct TripletBlocks {
  using Map = Map_;
  static constexpr int side = side_, threads = threads_, steps = side * side / threads * side, n_values = 3 * side;
  static_assert(threads % side == 0 && side * side % threads == 0,
                "threads are whole rows of a tile, and a layer is whole steps of threads");

  Map map;
  std::int64_t n = 0, gap = 0;

  constexpr TripletBlocks() = default;
  /// Requires: fits(n).
  CRINKLE_HD constexpr TripletBlocks(std::int64_t n_things, Diagonal diagonal)
      : map(detail::tiles_of<typename Map::Integer>(n_things, side), Diagonal::with),
        n(n_things),
        gap(diagonal == Diagonal::without ? 1 : 0) {}
  CRINKLE_HD static constexpr bool fits(std::int64_t n_things) {
    return Map::fits(detail::tiles_of<typename Map::Integer>(n_things, side), Diagonal::with);
  }
  CRINKLE_HD constexpr std::uint64_t n_blocks() const { return map.size(); }

  struct Tile {
    std::int64_t i_begin, j_begin, k_begin;
    bool is_inside;
  };
  CRINKLE_HD constexpr Tile tile(std::uint64_t block) const {
    const auto cell = map.at(static_cast<typename Map::Integer>(block));
    return {static_cast<std::int64_t>(cell.k) * side, static_cast<std::int64_t>(cell.j) * side, static_cast<std::int64_t>(cell.i) * side,
            cell.is_inside};
  }

  CRINKLE_HD static constexpr int column(int thread) { return thread % side; }
  CRINKLE_HD static constexpr int row(int thread, int step) { return thread / side + step % (steps / side) * (threads / side); }
  CRINKLE_HD static constexpr int layer(int step) { return step / (steps / side); }
  CRINKLE_HD constexpr bool is_triplet(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return k < n && j + gap <= k && i + gap <= j;
  }
  /// The thing whose value lies at `place` of n_values in shared memory: layers, rows, columns. It may be beyond the last.
  CRINKLE_HD constexpr std::int64_t thing(const Tile& tile, int place) const {
    return place < side ? tile.i_begin + place : place < 2 * side ? tile.j_begin + (place - side) : tile.k_begin + (place - 2 * side);
  }
};

}  // namespace crinkle
