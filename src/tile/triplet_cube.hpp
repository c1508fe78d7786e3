// Cubes of triplets on a GPU: a block has the triplets i > j > k of three stretches of points that a map names, half of the third. A thread
// has a square of 4 × 4 pairs (i, j), rows i and columns j next to each other, and goes through the k.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

/// Map: from a block of `size()` to a cube (i, j, k), i ≥ j ≥ k, as the maps of simplex.hpp.
template <class Map>
struct TripletCube {
  static constexpr int side = 64, a_thread = 4, threads_side = side / a_thread, threads = threads_side * threads_side;
  static constexpr int depth = side / 2, parts = side / depth;  // along k: more blocks end more evenly

  Map map;
  std::int64_t n = 0;  // points

  std::int64_t first_i = 0, first_j = 0, first_k = 0;  // of the block
  bool is_inside = false;
  bool has_all = false;  // three stretches apart, all below n

  CRINKLE_HD constexpr std::int64_t n_blocks() const { return static_cast<std::int64_t>(map.size()) * parts; }
  CRINKLE_HD constexpr void begin_block(std::int64_t block) {
    const auto at = map.at(static_cast<std::uint64_t>(block / parts));
    first_i = static_cast<std::int64_t>(at.i) * side;
    first_j = static_cast<std::int64_t>(at.j) * side;
    first_k = static_cast<std::int64_t>(at.k) * side + block % parts * depth;
    is_inside = at.is_inside;
    has_all = at.i > at.j && at.j > at.k && first_i + side <= n;
  }
  // The first row and the first column of thread t, in the block.
  CRINKLE_HD static constexpr int row_of(int t) { return t / threads_side * a_thread; }
  CRINKLE_HD static constexpr int column_of(int t) { return t % threads_side * a_thread; }

  /// How many k thread t goes through: those below its last column.
  CRINKLE_HD constexpr int n_k(int t) const {
    if (has_all) return depth;
    const bool has_pair = first_i + row_of(t) + a_thread - 1 > first_j + column_of(t) && first_i + row_of(t) < n;
    const std::int64_t below = first_j + column_of(t) + a_thread - 1 - first_k;
    return !has_pair || below < 0 ? 0 : below < depth ? static_cast<int>(below) : depth;
  }
  CRINKLE_HD constexpr bool has(std::int64_t i, std::int64_t j, std::int64_t k) const { return i < n && j < i && k < j; }
};

template <class Map>
CRINKLE_HD constexpr std::uint64_t cubes_of(std::int64_t n) {
  return static_cast<std::uint64_t>((n + TripletCube<Map>::side - 1) / TripletCube<Map>::side);
}

}  // namespace crinkle::tile
