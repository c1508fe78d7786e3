// Squares of pairs on a GPU, for bodies that only sum up: a block has the pairs (i, j) of so many rows i and some columns j of a square
// that a map names. A thread has rows t, t + threads, … of them; the columns go by in shared memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

/// Map: from a block of `size()` to a square (i, j), i ≥ j, as the maps of simplex.hpp.
template <class Map>
struct PairSquare {
  static constexpr int threads = 128, rows_thread = 4, side = threads * rows_thread, columns = 64, parts = side / columns;

  Map map;
  std::int64_t n = 0;  // points

  std::int64_t row = 0, column = 0;  // the first of the block
  bool is_inside = false;
  bool has_all = false;  // every row is below n and behind every column

  CRINKLE_HD constexpr std::int64_t n_blocks() const { return static_cast<std::int64_t>(map.size()) * parts; }
  CRINKLE_HD constexpr void begin_block(std::int64_t block) {
    const auto at = map.at(static_cast<std::uint64_t>(block / parts));
    row = static_cast<std::int64_t>(at.i) * side;
    column = static_cast<std::int64_t>(at.j) * side + block % parts * columns;
    is_inside = at.is_inside && column < n;
    has_all = at.i > at.j && row + side <= n;
  }
  CRINKLE_HD constexpr std::int64_t row_of(int t, int r) const { return row + t + static_cast<std::int64_t>(r) * threads; }
  CRINKLE_HD constexpr int n_columns() const { return n - column < columns ? static_cast<int>(n - column) : columns; }
  /// Whether the pair counts, in a block that has not all of its pairs.
  CRINKLE_HD constexpr bool has(std::int64_t i, std::int64_t j) const { return i < n && j < i; }
};

/// How many squares a side.
template <class Map>
CRINKLE_HD constexpr std::uint64_t squares_of(std::int64_t n) {
  return static_cast<std::uint64_t>((n + PairSquare<Map>::side - 1) / PairSquare<Map>::side);
}

}  // namespace crinkle::tile
