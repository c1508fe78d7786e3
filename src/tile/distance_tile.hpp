// Distances of pairs on a GPU: which pairs a warp works on, and where their distances lie. A block has some lines of the destination and a
// stretch along them, of which a warp has 128 elements, 32 at a time. What is written begins and ends with lines of the second-level cache,
// of 128 bytes: of what two warps write parts of, each part costs as much as the whole. So where a line of the destination begins inside
// one, a warp writes up to 31 elements before those of its stretch: a lane has five points, the first of them 32 before the stretch, and
// what it found out about them moves on to the lane that writes it. Blocks that follow each other have stretches that do, in the same few
// lines: the memory that is written to at a time is small.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/triangle_lines.hpp"
#include "crinkle/simplex.hpp"

namespace crinkle::tile {

struct DistanceTile {
  static constexpr int lanes = 32, threads = 128, vectors = 4, side_warp = lanes * vectors, side = threads / lanes * side_warp;
  static constexpr int n_lines = 16;
  static constexpr std::int64_t blocks_square = side / n_lines;

  /// Which pairs there are: all of [line_begin, line_end) × [along_begin, along_end); or, of lines and along from the same range, those
  /// with along ≥ line + gap, or with line ≥ along + gap.
  enum class Shape : std::uint8_t { rectangle, along_above, line_above };

  // A launch sets these.
  TriangleLines lines;
  std::int64_t line_begin = 0, line_end = 0, along_begin = 0, along_end = 0, gap = 0;
  Shape shape = Shape::rectangle;
  std::int32_t granule = 32;  // elements of 128 bytes, a power of two
  std::int32_t phase = 0;     // of the destination's element 0, in 128 bytes

  // A block sets these.
  std::int64_t first_line = 0, last_line = 0, first_along = 0;  // lines [first, last)

  /// Requires the launch's ranges.
  CRINKLE_HD constexpr void prepare() {
    // If lines are above, a place's square must not be beyond its line's, wherever the line's stretches begin.
    line_origin_ = line_begin - (shape == Shape::line_above ? granule : 0);
    const auto n_line = static_cast<std::uint64_t>((line_end - line_origin_ + side - 1) / side);
    const auto n_along = static_cast<std::uint64_t>((along_end + granule - 1 - along_begin + side - 1) / side);
    squares_ = TriangleMap<std::uint64_t>(shape == Shape::rectangle ? 0 : n_line > n_along ? n_line : n_along, Diagonal::with);
    n_side_ = n_line > n_along ? n_line : n_along;
    const std::uint64_t width = shape == Shape::rectangle ? n_along : squares_.grid()[0];
    width_ = Divisor<std::uint64_t>(width);
    n_blocks_ = static_cast<std::int64_t>(width * (shape == Shape::rectangle ? n_line : squares_.grid()[1])) * blocks_square;
  }
  CRINKLE_HD constexpr std::int64_t n_blocks() const { return n_blocks_; }

  CRINKLE_HD constexpr void begin_block(std::int64_t block) {
    const auto at = width_.divide(static_cast<std::uint64_t>(block));
    const auto in_square = static_cast<std::int64_t>(at.quotient) % blocks_square;
    const std::uint64_t x = at.remainder, y = at.quotient / static_cast<std::uint64_t>(blocks_square);
    std::uint64_t line = y, along = x;
    if (shape != Shape::rectangle) {
      const auto square = squares_.at(x, y);
      const bool is_above = shape == Shape::along_above;
      line = is_above ? n_side_ - 1 - square.i : square.i;
      along = is_above ? n_side_ - 1 - square.j : square.j;
    }
    const std::int64_t square_line = line_origin_ + static_cast<std::int64_t>(line) * side;
    first_line = square_line + in_square * n_lines;
    last_line = first_line + n_lines < line_end ? first_line + n_lines : line_end;
    if (first_line < line_begin) first_line = line_begin;
    first_along = along_begin + static_cast<std::int64_t>(along) * side;
  }

  /// How far before first_along a line's stretch begins. `place` is that of first_along, in elements.
  CRINKLE_HD constexpr std::int32_t shift_of(std::int64_t place) const {
    return static_cast<std::int32_t>((phase + place) & (granule - 1));
  }
  /// The first along of a warp's points: so many lanes before its stretch.
  CRINKLE_HD constexpr std::int64_t first_of(int warp) const { return first_along + warp * side_warp - lanes; }
  /// All that a line has, [begin, end).
  CRINKLE_HD constexpr std::int64_t begin_of(std::int64_t line) const {
    return shape == Shape::along_above && line + gap > along_begin ? line + gap : along_begin;
  }
  CRINKLE_HD constexpr std::int64_t end_of(std::int64_t line) const {
    return shape == Shape::line_above && line - gap + 1 < along_end ? line - gap + 1 : along_end;
  }
  /// Whether the block has its whole stretch of every line, wherever that begins.
  CRINKLE_HD constexpr bool is_whole() const {
    return begin_of(last_line - 1) <= first_along - lanes && first_along + side <= end_of(first_line);
  }
  /// Whether the launch has this pair.
  CRINKLE_HD constexpr bool has(std::int64_t line, std::int64_t along) const {
    return line >= line_begin && line < line_end && along >= begin_of(line) && along < end_of(line);
  }

 private:
  TriangleMap<std::uint64_t> squares_;
  Divisor<std::uint64_t> width_;
  std::uint64_t n_side_ = 0;
  std::int64_t line_origin_ = 0, n_blocks_ = 0;
};

}  // namespace crinkle::tile
