// Lines of a triangle that cross on a GPU: some rows, lines of the source, are put into shared memory, from where columns, lines of the
// destination, leave; both by aligned vectors of 16 bytes. A column's window begins on a sector, so the rows of a few elements before it
// are read, too. A row keeps its phase: its unit 0 waits at byte
//     r · pitch + 16 ⌊r / 2^skew⌋ + phase,      phase = its address modulo 16,
// so that vectors stay vectors, and rows that are read at once lie in different banks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "tile/triangle_move.hpp"

namespace crinkle::tile {

struct TriangleCrossTile {
  static constexpr std::int32_t threads = 256, sector = 32, vector = 16, most_staged = 32;  // bytes of an element in shared memory

  TriangleMove move;
  TriangleLines beside;  // a symmetric destination: each element off the diagonal is also written there, in lines as the source's
  bool has_beside = false;
  bool is_staged = true;  // else units go from where they are read to where they are written
  TriangleBlocks blocks;
  PartByLines rows, beside_rows;                 // the part by lines of the source, and without its diagonal
  std::int64_t n_units = 1;                      // of an element
  std::int32_t early = 0;                        // rows before the window's first
  std::int32_t early_columns = 0;                // columns before the block's first, which rows that are written on sectors begin with
  std::int32_t n_rows = 1;                       // of a block
  std::int32_t pitch = 16;                       // bytes from row to row in shared memory
  std::int32_t skew = 31;                        // none
  std::int32_t row_vectors = 1;                  // that hold the most of a row
  std::int32_t row_lanes = 1, beside_lanes = 1;  // that go along a row, powers of two
  Divisor<std::uint64_t> by_units, by_window;

  constexpr TriangleCrossTile() = default;
  constexpr explicit TriangleCrossTile(const TriangleMove& m, const std::optional<TriangleLines>& also = {})
      : move(m), beside(also.value_or(TriangleLines{})), has_beside(also.has_value()), rows{m.part, m.from.are_columns}, beside_rows(rows) {
    const std::int64_t e = m.element, least = elements_in(sector, e);
    beside_rows.part.gap = 1;
    n_units = e / m.unit;
    is_staged = e <= most_staged;
    // 512 bytes along the columns and as many along the rows, less of narrow elements: 48 KB of shared memory and less.
    const std::int64_t wanted = (e == 1 ? 128 : e <= 4 ? 256 : 512) / e, side = wanted < least ? least : power_at_most(wanted);
    std::int64_t lines = !is_staged ? 8 : e == 2 && has_beside ? side / 2 : side;
    if (lines < least) lines = least;
    early = static_cast<std::int32_t>(ceil_quotient(sector - m.unit, e));
    const std::int64_t whole = n_units == 1 ? elements_in(vector, e) : 1;  // so that what lies at vectors stays there
    early_columns = has_beside ? static_cast<std::int32_t>(ceil_quotient(early, whole) * whole) : 0;
    blocks = TriangleBlocks({m.part, m.to.are_columns}, side, lines < side ? lines : side, early);
    n_rows = static_cast<std::int32_t>(side) + early;
    by_units = Divisor<std::uint64_t>(static_cast<std::uint64_t>(n_units));
    by_window = Divisor<std::uint64_t>(static_cast<std::uint64_t>(window_units()));
    if (!is_staged) return;
    const auto vectors_of = [](std::int64_t bytes) { return static_cast<std::int32_t>(ceil_quotient(bytes, vector)); };
    row_vectors = vectors_of((blocks.n_lines + early_columns) * e + vector - m.unit);
    row_lanes = static_cast<std::int32_t>(power_at_most(row_vectors));
    beside_lanes = static_cast<std::int32_t>(power_at_most(vectors_of(blocks.n_lines * e)));
    const bool is_single = n_units == 1 && m.unit < vector;
    if (is_single)
      for (skew = 0; (m.unit << skew) < vector;) ++skew;  // as many rows as a vector of a column has units
    pitch = (is_single ? row_vectors : row_vectors | 1) * vector;
  }

  CRINKLE_HD constexpr std::int64_t window_units() const { return blocks.side * n_units; }
  CRINKLE_HD constexpr std::int32_t window_vectors() const { return static_cast<std::int32_t>(window_units() * move.unit / vector); }
  CRINKLE_HD constexpr std::int32_t cell_bytes() const { return (n_rows + 1) * pitch + (n_rows >> skew) * vector; }
  /// Units that begin in a block's rows.
  CRINKLE_HD constexpr std::int32_t column_units() const { return n_rows * static_cast<std::int32_t>(n_units); }
  /// The cells, then the block's columns, its rows, and where units wait.
  CRINKLE_HD constexpr std::int32_t shared_bytes() const {
    if (!is_staged) return 0;
    constexpr std::int32_t column_bytes = sizeof(Column), unit_bytes = sizeof(std::uint16_t);
    const std::int32_t row_bytes = has_beside && sizeof(Beside) > sizeof(Row) ? sizeof(Beside) : sizeof(Row);
    return cell_bytes() + blocks.n_lines * column_bytes + n_rows * row_bytes + column_units() * unit_bytes;
  }

  /// The line of the source that row r of a block is, and the column that its unit 0 is of.
  CRINKLE_HD constexpr std::int64_t row_line(const TriangleBlocks::Block& block, std::int32_t r) const {
    return blocks.origin + block.window * blocks.side - early + r;
  }
  CRINKLE_HD constexpr std::int64_t first_column(const TriangleBlocks::Block& block) const { return block.first - early_columns; }

  /// The source's address of unit 0 of row r, modulo 16.
  CRINKLE_HD constexpr std::int32_t phase(const TriangleBlocks::Block& block, std::int32_t r) const {
    const std::int64_t p = row_line(block, r);
    if (p < rows.first_line()) return 0;
    return static_cast<std::int32_t>(((move.from.start(p) + first_column(block)) * move.element + move.src_phase) & (vector - 1));
  }
  /// The cell in which row r waits.
  CRINKLE_HD constexpr std::int32_t row_cell(std::int32_t r) const { return r * pitch + (r >> skew) * vector; }

  /// Row r of a block as vectors: vector k is at src + 16 k, of which bytes first_byte ≤ 16 k + … < last_byte are the row's; it waits at
  /// row_cell(r) + 16 k. Bytes of other rows are read, and not used.
  struct Row {
    std::int64_t src = 0;
    std::int32_t first_byte = 0, last_byte = 0;
    std::int32_t first = 0, last = 0;  // vectors first ≤ k < last
    bool is_whole = false;             // the source has all bytes of these vectors; else units are read one by one
  };
  CRINKLE_HD constexpr Row row(const TriangleBlocks::Block& block, std::int32_t r) const {
    const std::int64_t p = row_line(block, r), zero = first_column(block);
    if (p < rows.first_line() || p >= rows.last_line()) return {};
    const std::int64_t begin = rows.begin(p) > zero ? rows.begin(p) : zero, end = rows.end(p) < block.last ? rows.end(p) : block.last;
    if (begin >= end) return {};
    const std::int32_t late = phase(block, r);
    Row row{(move.from.start(p) + zero) * move.element - late, static_cast<std::int32_t>((begin - zero) * move.element) + late,
            static_cast<std::int32_t>((end - zero) * move.element) + late};
    row.first = row.first_byte / vector;
    row.last = (row.last_byte + vector - 1) / vector;
    row.is_whole = row.src + vector * row.first >= 0 && row.src + vector * row.last <= move.src_bytes;
    return row;
  }

  /// Each row is written to a second place, counted as its units are: vector k of the window is units x + k · 16 / unit … of it and goes
  /// to dst + 16 k; units begin ≤ … < end are written. Blocks share no sector.
  struct Beside {
    std::int64_t dst = 0, x = 0, begin = 0, end = 0;
    std::int32_t cell = 0;  // where unit x waits
  };
  CRINKLE_HD constexpr Beside beside_row(const TriangleBlocks::Block& block, std::int32_t r) const {
    const std::int64_t p = row_line(block, r), zero = first_column(block);
    if (r < early || p < rows.first_line() || p >= rows.last_line()) return {};
    const std::int64_t begin = beside_rows.begin(p), end = beside_rows.end(p);
    if (begin >= end || end <= block.first || begin >= block.last) return {};
    const std::int64_t at = (beside.start(p) + block.first) * move.element, late = (at + move.dst_phase) & (sector - 1);
    Beside b{at - late, early_columns * n_units - late / move.unit};
    const std::int64_t of_line = (begin - zero) * n_units;
    b.begin = of_line > b.x ? of_line : b.x;
    b.end = end <= block.last ? (end - zero) * n_units : b.x + blocks.n_lines * n_units;  // who has a row's last has all that is left
    if (is_staged) b.cell = row_cell(r) + phase(block, r) + static_cast<std::int32_t>(b.x) * move.unit;
    return b;
  }

  /// Column c of a block: unit t of its window is at dst + t · unit, begin ≤ t < end, and is unit (first + t) of the column that begins
  /// in row 0.
  struct Column {
    std::int64_t dst = 0;  // bytes
    std::int64_t first = 0, begin = 0, end = 0;
  };
  CRINKLE_HD constexpr Column column(const TriangleBlocks::Block& block, std::int32_t c) const {
    const std::int64_t line = block.first + c;
    if (line >= block.last) return {};
    const LineWindow w = line_window(move, blocks, line, block.window, sector);
    return {w.dst, early * n_units - w.late / move.unit, w.begin / move.unit, w.end / move.unit};
  }

  /// The cell in which unit f of column 0 waits, counted from row 0 on; that of column c is c elements further.
  CRINKLE_HD constexpr std::int32_t unit_cell(const TriangleBlocks::Block& block, std::int32_t f) const {
    const Division<std::uint64_t> at = by_units.divide(static_cast<std::uint64_t>(f));
    const auto r = static_cast<std::int32_t>(at.quotient);
    return row_cell(r) + phase(block, r) + early_columns * static_cast<std::int32_t>(move.element) +
           static_cast<std::int32_t>(at.remainder) * move.unit;
  }
  /// Lanes of a warp have `along` vectors of n_at_once columns at a time, which lie in different banks of a row: of narrow units not next
  /// to each other. Column 0 ≤ c < threads / along of a group of threads.
  static constexpr std::int32_t along = 8, n_at_once = 32 / along;
  template <int unit>
  CRINKLE_HD static constexpr std::int32_t column_of(std::int32_t group) {
    constexpr std::int32_t apart = unit < 4 ? 4 / unit : 1;
    const std::int32_t warp = group / n_at_once, lane = group % n_at_once;
    return warp % apart + lane * apart + warp / apart * (apart * n_at_once);
  }

  /// The source of unit t of a column, in bytes from the source's first, for a tile that stages nothing.
  CRINKLE_HD constexpr std::int64_t source(const TriangleBlocks::Block& block, const Column& column, std::int32_t c, std::int64_t t) const {
    const Division<std::uint64_t> at = by_units.divide(static_cast<std::uint64_t>(column.first + t));
    const std::int64_t p = row_line(block, static_cast<std::int32_t>(at.quotient));
    return (move.from.start(p) + block.first + c) * move.element + static_cast<std::int64_t>(at.remainder) * move.unit;
  }
};

}  // namespace crinkle::tile
