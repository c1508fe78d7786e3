// What the threads of a GPU read and write in a piece of a conversion between triangles' layouts, (tile/triangle_blocks.hpp): offsets are
// bytes from the source's and the destination's first.
//     TriangleCopyTile   lines are copied: a thread has 16 aligned bytes of a line; what it reads is shifted together from two vectors
//     where
//                        source and destination begin at different phases, the same for a whole line
//     TriangleCrossTile  lines cross: some rows, lines of the source, are put into shared memory, from where columns, lines of the
//                        destination, leave. A column's window begins on a sector, so the rows of a few elements before it are read, too.
// An element is `n_units` units of 1 to 16 bytes, to which all addresses are aligned.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/triangle_blocks.hpp"

namespace crinkle::tile {

/// A piece of a conversion in one device's memory.
struct TriangleMove {
  TrianglePart part;
  TriangleLines from, to;
  std::int64_t element = 1;  // bytes
  std::int32_t unit = 1;
  std::int32_t src_phase = 0, dst_phase = 0;  // the addresses modulo 128
  std::int64_t src_bytes = 0;                 // that may be read
};

constexpr std::int64_t ceil_quotient(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
/// The highest power of two that is at most n, n ≥ 1.
constexpr std::int64_t power_at_most(std::int64_t n) {
  std::int64_t power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}
/// How many of an element are a multiple of `bytes`, a power of two.
constexpr std::int64_t elements_in(std::int64_t bytes, std::int64_t element) {
  std::int64_t n = bytes;
  while (n > 1 && element % 2 == 0) {
    element /= 2;
    n /= 2;
  }
  return n;
}

struct TriangleCopyTile {
  static constexpr std::int32_t threads = 256, line_bytes = 128, most_lines = 8, vector = 16;

  TriangleMove move;
  TriangleBlocks blocks;
  std::int64_t n_pieces = 1;  // of 16 bytes, of a window

  constexpr TriangleCopyTile() = default;
  constexpr explicit TriangleCopyTile(const TriangleMove& m) : move(m) {
    const std::int64_t e = m.element, least = elements_in(line_bytes, e), wanted = threads * vector / e;
    const std::int64_t side = least * (wanted < least ? 1 : power_at_most(wanted / least));  // so that groups are halved evenly
    blocks = TriangleBlocks({m.part, m.to.are_columns}, side, side < most_lines ? side : most_lines, ceil_quotient(line_bytes - 1, e));
    n_pieces = side * e / vector;
  }

  /// A line's window: piece k is at dst + 16 k, bytes begin to end − 1 of the window are the line's.
  struct Window {
    std::int64_t dst = 0, begin = 0, end = 0;
    std::int64_t src = 0;    // the aligned vector that holds what piece 0 begins with
    std::int32_t shift = 0;  // bytes of it to drop; if not 0, the next vector follows
    std::int32_t unused = 0;
  };
  CRINKLE_HD constexpr Window window(const TriangleBlocks::Block& block, std::int64_t line) const {
    const std::int64_t e = move.element, at = (move.to.start(line) + blocks.origin) * e;
    const std::int64_t phase = (at + move.dst_phase) & (line_bytes - 1), size = n_pieces * vector;
    Window w;
    w.dst = at - phase + block.window * size;
    w.begin = at + (blocks.lines.begin(line) - blocks.origin) * e - w.dst;
    w.end = at + (blocks.lines.end(line) - blocks.origin) * e - w.dst;
    w.begin = w.begin < 0 ? 0 : w.begin;
    w.end = w.end < size ? w.end : size;
    w.src = w.dst + (move.from.start(line) - move.to.start(line)) * e;
    w.shift = static_cast<std::int32_t>((w.src + move.src_phase) & (vector - 1));
    w.src -= w.shift;
    return w;
  }

  enum class How : std::uint8_t { nothing, whole, units };
  /// Whole: all of the piece, by whole vectors that lie in the source. Otherwise unit u is at dst + 16 k + u · unit and src + shift + the
  /// same, where holds() says so.
  CRINKLE_HD constexpr How how(const Window& w, std::int64_t k) const {
    const std::int64_t first = k * vector;
    if (first + vector <= w.begin || first >= w.end) return How::nothing;
    const std::int64_t src = w.src + first, reads = w.shift == 0 ? vector : 2 * vector;
    return first >= w.begin && first + vector <= w.end && src >= 0 && src + reads <= move.src_bytes ? How::whole : How::units;
  }
  CRINKLE_HD constexpr bool holds(const Window& w, std::int64_t k, std::int32_t u) const {
    const std::int64_t at = k * vector + u * move.unit;
    return at >= w.begin && at < w.end;
  }
};

struct TriangleCrossTile {
  static constexpr std::int32_t threads = 256, sector = 32, most_staged = 32;  // bytes of an element that goes through shared memory

  TriangleMove move;
  TriangleLines beside;  // a symmetric destination: each element off the diagonal is also written there, in lines as the source's
  bool has_beside = false;
  bool is_staged = true;  // else units go from where they are read to where they are written
  TriangleBlocks blocks;
  PartByLines rows;          // the part by lines of the source
  std::int64_t n_units = 1;  // of an element
  std::int32_t early = 0;    // rows before the window's first
  std::int32_t n_rows = 1;   // of a block
  std::int32_t pitch = 1;    // units from row to row in shared memory: an odd number of banks, or of units where those are wider
  Divisor<std::uint64_t> by_units, by_window;

  constexpr TriangleCrossTile() = default;
  constexpr explicit TriangleCrossTile(const TriangleMove& m) : move(m), rows{m.part, m.from.are_columns} {
    const std::int64_t e = m.element, least = elements_in(sector, e);
    n_units = e / m.unit;
    is_staged = e <= most_staged;
    // 512 bytes along the columns, of narrow elements 256; as many, or half, along the rows: 35 KB of shared memory and less.
    const std::int64_t along = (e <= 2 ? 256 : 512) / e, across = (e <= 4 ? 256 : 512) / e;
    const std::int64_t side = along < least ? least : power_at_most(along);
    const std::int64_t lines = !is_staged ? 8 : e <= 1 ? 128 : across < 1 ? 1 : power_at_most(across);
    early = static_cast<std::int32_t>(ceil_quotient(sector - m.unit, e));
    blocks = TriangleBlocks({m.part, m.to.are_columns}, side, lines < side ? lines : side, early);
    n_rows = static_cast<std::int32_t>(side) + early;
    pitch = static_cast<std::int32_t>(blocks.n_lines * n_units);
    const std::int32_t bank_units = m.unit < 4 ? 4 / m.unit : 1;
    pitch = ((pitch + bank_units - 1) / bank_units | 1) * bank_units;
    by_units = Divisor<std::uint64_t>(static_cast<std::uint64_t>(n_units));
    by_window = Divisor<std::uint64_t>(static_cast<std::uint64_t>(window_units()));
  }

  CRINKLE_HD constexpr std::int64_t window_units() const { return blocks.side * n_units; }
  CRINKLE_HD constexpr std::int32_t cell_bytes() const { return is_staged ? n_rows * pitch * move.unit : 0; }
  /// The cells, then the rows and columns of the block.
  CRINKLE_HD constexpr std::int32_t shared_bytes() const {
    return is_staged
               ? table_at() + n_rows * static_cast<std::int32_t>(sizeof(Row)) + blocks.n_lines * static_cast<std::int32_t>(sizeof(Column))
               : 0;
  }
  CRINKLE_HD constexpr std::int32_t table_at() const { return (cell_bytes() + 15) / 16 * 16; }
  CRINKLE_HD constexpr std::int32_t row_units() const { return static_cast<std::int32_t>(blocks.n_lines * n_units); }

  /// The line of the source that row r of a block is.
  CRINKLE_HD constexpr std::int64_t row_line(const TriangleBlocks::Block& block, std::int32_t r) const {
    return blocks.origin + block.window * blocks.side - early + r;
  }
  /// Row r of a block in units: unit x is at (src + x) · unit, begin ≤ x < end, and beside it, where is_beside(), at (beside + x) · unit.
  /// An element's are n_units one after the other.
  struct Row {
    std::int64_t src = 0, beside = 0;
    std::int32_t begin = 0, end = 0;
  };
  CRINKLE_HD constexpr Row row(const TriangleBlocks::Block& block, std::int32_t r) const {
    const std::int64_t p = row_line(block, r);
    if (p < rows.first_line() || p >= rows.last_line()) return {};
    const std::int64_t begin = rows.begin(p) > block.first ? rows.begin(p) : block.first;
    const std::int64_t end = rows.end(p) < block.last ? rows.end(p) : block.last;
    if (begin >= end) return {};
    return {(move.from.start(p) + block.first) * n_units, (beside.start(p) + block.first) * n_units,
            static_cast<std::int32_t>((begin - block.first) * n_units), static_cast<std::int32_t>((end - block.first) * n_units)};
  }
  CRINKLE_HD constexpr bool is_beside(const TriangleBlocks::Block& block, const Row& row, std::int32_t r, std::int32_t x) const {
    const std::int64_t diagonal = (row_line(block, r) - block.first) * n_units;
    return has_beside && r >= early && x >= row.begin && x < row.end && (x < diagonal || x >= diagonal + n_units);
  }

  /// Column c of a block: unit t of its window is at (dst + t) · unit, begin ≤ t < end, and is unit (first + t) of the column that begins
  /// in row 0.
  struct Column {
    std::int64_t dst = 0, first = 0, begin = 0, end = 0;
  };
  CRINKLE_HD constexpr Column column(const TriangleBlocks::Block& block, std::int32_t c) const {
    const std::int64_t line = block.first + c;
    if (line >= block.last) return {};
    const std::int64_t e = move.element, at = (move.to.start(line) + blocks.origin) * e;
    const std::int64_t phase = (at + move.dst_phase) & (sector - 1), unit = move.unit, size = window_units();
    Column column;
    column.dst = (at - phase) / unit + block.window * size;
    column.first = early * n_units - phase / unit;
    column.begin = at / unit + (blocks.lines.begin(line) - blocks.origin) * n_units - column.dst;
    column.end = at / unit + (blocks.lines.end(line) - blocks.origin) * n_units - column.dst;
    column.begin = column.begin < 0 ? 0 : column.begin;
    column.end = column.end < size ? column.end : size;
    return column;
  }

  /// Where a unit of a column waits in shared memory, in units. `is_single`: elements of one unit.
  template <bool is_single>
  CRINKLE_HD constexpr std::int32_t cell(const Column& column, std::int32_t c, std::int64_t t) const {
    if constexpr (is_single) {
      return static_cast<std::int32_t>(column.first + t) * pitch + c;
    } else {
      const Division<std::uint64_t> at = by_units.divide(static_cast<std::uint64_t>(column.first + t));
      return static_cast<std::int32_t>(at.quotient) * pitch + c * static_cast<std::int32_t>(n_units) +
             static_cast<std::int32_t>(at.remainder);
    }
  }
  /// Where the same is read, in units from the source's first, by a tile that stages nothing.
  CRINKLE_HD constexpr std::int64_t source(const TriangleBlocks::Block& block, const Column& column, std::int32_t c, std::int64_t t) const {
    const Division<std::uint64_t> at = by_units.divide(static_cast<std::uint64_t>(column.first + t));
    const std::int64_t p = row_line(block, static_cast<std::int32_t>(at.quotient));
    return (move.from.start(p) + block.first + c) * n_units + static_cast<std::int64_t>(at.remainder);
  }
};

}  // namespace crinkle::tile
