// Which block of a GPU does which piece of a part of a triangle. The destination's lines are cut into groups of `side`, and along them into
// windows of `side` elements; a group of rows ends at the diagonal, a group of columns begins there, so that counted from the diagonal's
// far end group a has min(first + a, most) windows. Windows of a line begin at a multiple of a sector or line of memory at or before its
// first window, so that blocks share no sector; a line so begun late reaches one window further:
//     window b of line l = bytes [b · side · e, (b + 1) · side · e) from (address of (l, origin)) rounded down.
// Cells are numbered as pairs are, by an exact root; a block is `n_lines` lines of a cell.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_digits.hpp"
#include "tile/triangle_part.hpp"

namespace crinkle::tile {

/// Row a of n_rows has min(first + a, most) cells, first ≥ 1.
struct Trapezoid {
  std::uint64_t n_rows = 0, first = 1, most = 1;
  std::uint64_t n_rising = 0;      // rows that have fewer than `most`
  std::uint64_t rising_cells = 0;  // theirs
  Divisor<std::uint64_t> by_most;

  constexpr Trapezoid() = default;
  CRINKLE_HD constexpr Trapezoid(std::uint64_t rows, std::uint64_t first_row, std::uint64_t longest)
      : n_rows(rows), first(first_row < longest ? first_row : longest), most(longest), by_most(longest) {
    n_rising = most - first < n_rows ? most - first : n_rows;
    rising_cells = n_rising == 0 ? 0 : n_rising * first + triangle_number(n_rising - 1);
  }

  CRINKLE_HD constexpr std::uint64_t n_cells() const { return rising_cells + (n_rows - n_rising) * most; }

  struct Cell {
    std::uint64_t row = 0, column = 0;
  };
  /// Requires w < n_cells().
  CRINKLE_HD constexpr Cell at(std::uint64_t w) const {
    if (w >= rising_cells) {
      const Division<std::uint64_t> d = by_most.divide(w - rising_cells);
      return {n_rising + d.quotient, d.remainder};
    }
    const PairOf<std::uint64_t> p = pair_of(w + triangle_number(first - 1));  // rows of fewer cells lie before
    return {p.i - (first - 1), p.j};
  }
};

struct TriangleBlocks {
  PartByLines lines;  // of the destination
  std::int32_t side = 1;
  std::int32_t n_lines = 1;     // of a block, divides side
  std::int32_t parts_log2 = 0;  // of side / n_lines
  std::int64_t origin = 0;      // along the lines: where window 0 begins, or soon after
  std::int64_t n_windows = 0;   // of the longest line
  Trapezoid cells;

  constexpr TriangleBlocks() = default;
  /// `late` elements are as much as a line may begin behind a multiple of what windows are aligned to. Requires a part that is not empty,
  /// with bounds as close as they get; side = n_lines · 2^k.
  constexpr TriangleBlocks(const PartByLines& by_lines, std::int64_t side_elements, std::int64_t lines_of_block, std::int64_t late)
      : lines(by_lines), side(static_cast<std::int32_t>(side_elements)), n_lines(static_cast<std::int32_t>(lines_of_block)) {
    const TrianglePart& p = lines.part;
    while ((lines_of_block << parts_log2) < side_elements) ++parts_log2;
    origin = lines.are_columns ? p.i_begin : p.j_begin;
    const std::int64_t last = lines.are_columns ? p.i_end : p.j_end, spare = p.i_begin - p.gap - p.j_begin;
    const auto up = [&](std::int64_t n) { return (n + side - 1) / side; };
    const std::int64_t n_groups = up(lines.last_line() - lines.first_line());
    n_windows = up(last - origin + late);
    // A row's first group ends `spare` + side elements behind the origin; the last group of columns begins as far before its end.
    const std::int64_t first = lines.are_columns ? n_windows - (n_groups - 1) + up(spare) : 1 + up(spare + late);
    cells = Trapezoid(static_cast<std::uint64_t>(n_groups), static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(n_windows));
  }

  CRINKLE_HD constexpr std::uint64_t n_blocks() const { return cells.n_cells() << parts_log2; }

  /// Lines first ≤ l < last, and the window that the block does of each.
  struct Block {
    std::int64_t first = 0, last = 0, window = 0;
  };
  CRINKLE_HD constexpr Block block(std::uint64_t index) const {
    const Trapezoid::Cell cell = cells.at(index >> parts_log2);
    auto group = static_cast<std::int64_t>(cell.row), window = static_cast<std::int64_t>(cell.column);
    if (lines.are_columns) {
      group = static_cast<std::int64_t>(cells.n_rows) - 1 - group;
      window = n_windows - 1 - window;
    }
    const auto part = static_cast<std::int64_t>(index & ((std::uint64_t{1} << parts_log2) - 1));
    Block b{lines.first_line() + group * side + part * n_lines, 0, window};
    b.last = b.first + n_lines < lines.last_line() ? b.first + n_lines : lines.last_line();
    return b;
  }
};

}  // namespace crinkle::tile
