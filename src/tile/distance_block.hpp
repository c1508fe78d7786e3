// Distances of points of many features on a GPU, where arithmetic is the limit: a block has 128 lines of the destination and 64 places
// along them, a thread 8 × 4 of these pairs: eight lines next to each other, which it reads as whole vectors, and places t_x + 16m, so that
// 16 threads write next to each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/distance_tile.hpp"

namespace crinkle::tile {

struct DistanceBlock {
  static constexpr int threads_side = 16, threads = threads_side * threads_side, lines_thread = 8, alongs_thread = 4;
  static constexpr int n_lines = threads_side * lines_thread, n_alongs = threads_side * alongs_thread, blocks_square = n_lines / n_alongs;

  /// Which pairs there are, and where they lie; its squares are those of a launch of these blocks.
  DistanceTile pairs;
  TriangleMap<std::uint64_t> squares;
  Divisor<std::uint64_t> along_squares;

  std::int64_t first_line = 0, first_along = 0;  // of the block

  constexpr DistanceBlock() = default;
  CRINKLE_HD constexpr explicit DistanceBlock(const DistanceTile& of) : pairs(of) {
    const auto n_line = static_cast<std::uint64_t>((pairs.line_end - pairs.line_begin + n_lines - 1) / n_lines);
    const auto n_along = static_cast<std::uint64_t>((pairs.along_end - pairs.along_begin + n_lines - 1) / n_lines);
    const bool is_rectangle = pairs.shape == DistanceTile::Shape::rectangle;
    along_squares = Divisor<std::uint64_t>(n_along);
    squares = TriangleMap<std::uint64_t>(is_rectangle ? 0 : n_line > n_along ? n_line : n_along, Diagonal::with);
    n_blocks_ = static_cast<std::int64_t>(is_rectangle ? n_line * n_along : squares.size()) * blocks_square;
  }
  CRINKLE_HD constexpr std::int64_t n_blocks() const { return n_blocks_; }

  CRINKLE_HD constexpr void begin_block(std::int64_t block) {
    const auto square = static_cast<std::uint64_t>(block / blocks_square);
    std::uint64_t line = 0, along = 0;
    if (pairs.shape == DistanceTile::Shape::rectangle) {
      const auto at = along_squares.divide(square);
      line = at.quotient;
      along = at.remainder;
    } else {
      const auto at = squares.at(square);
      const bool is_above = pairs.shape == DistanceTile::Shape::along_above;
      line = is_above ? at.j : at.i;
      along = is_above ? at.i : at.j;
    }
    first_line = pairs.line_begin + static_cast<std::int64_t>(line) * n_lines;
    first_along = pairs.along_begin + static_cast<std::int64_t>(along) * n_lines + block % blocks_square * n_alongs;
  }
  CRINKLE_HD static constexpr int line_of(int t, int k) { return t / threads_side * lines_thread + k; }
  CRINKLE_HD static constexpr int along_of(int t, int m) { return t % threads_side + m * threads_side; }
  CRINKLE_HD constexpr bool has(std::int64_t line, std::int64_t along) const { return pairs.has(line, along); }
  /// Whether the block has all pairs of its lines and places.
  CRINKLE_HD constexpr bool is_whole() const {
    return first_line + n_lines <= pairs.line_end && has(first_line, first_along) && has(first_line, first_along + n_alongs - 1) &&
           has(first_line + n_lines - 1, first_along) && has(first_line + n_lines - 1, first_along + n_alongs - 1);
  }

 private:
  std::int64_t n_blocks_ = 0;
};

}  // namespace crinkle::tile
