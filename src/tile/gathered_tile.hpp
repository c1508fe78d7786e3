// The general staged tile: any rank, unit, pitch and alignment, short fast axes, groups that share axes. Reading puts the source run
// of every row, piece by piece, into a row of shared memory; writing collects each destination vector unit by unit,
//     shared(row r, byte b of its run) = swizzle(r · pitch + b),   cell(unit u of destination row j) = row_cell(j) + along(u),
// and stores aligned vectors, with a mask only where a row's ends are not aligned (paper 3's interlace and reorder are special cases).
// If source rows begin at any phase of a vector, a row is read as the aligned vectors that cover it (a superset) and keeps its phase in
// shared memory: every step there is congruent to its step in the source, modulo a vector, so that cells and addresses have the same phase
// for rows of any number of digits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/frame.hpp"
#include "tile/swizzle.hpp"

namespace crinkle::tile {

struct GatheredTile {
  std::int32_t threads = 256;
  std::int32_t load_bytes = 16;  // of one piece of a source run
  std::int32_t load_log2 = 4;
  std::int32_t store_bytes = 16;  // of one piece of a destination run
  std::int32_t vector = 4;        // units in a destination piece
  std::int32_t window = 16;       // bytes that the pieces of a destination row are aligned to: store_bytes, or what it leans to
  bool is_aligned = true;         // every destination row of every tile starts and ends on a multiple of store_bytes
  bool is_contiguous = true;      // destination runs are; otherwise a piece is one unit
  bool reads_contiguous = true;   // source runs are; otherwise a piece is one unit
  bool is_fixed = true;           // a step along a destination run moves all its cells alike: along(u + n) = along(u) + n · along_step
  bool is_superset = false;       // source rows are read as the aligned vectors that cover them
  std::int64_t src_begin = 0;     // of a superset: the source span that whole vectors must not leave
  std::int64_t src_end = 0;
  std::int64_t rows_begin = 0;  // of a superset: the lowest and the highest row of a tile, from its first
  std::int64_t rows_end = 0;
  std::int32_t n_bytes = 0;    // of shared memory
  std::int32_t step_cell = 0;  // bytes of shared memory by which one step along a destination run moves the cells
  std::int32_t unit_cell = 0;  // bytes of shared memory between neighbouring units of a piece; 0 where they are not evenly spaced
  Swizzle swizzle;
  Frame frame;
  Walk read;
  Digits read_run;  // unit of a source run -> source offset, where it is not contiguous
  Walk write;
  Digits write_run;  // unit of a destination run -> cell, and destination offset where it is not contiguous

  /// Shared memory: what is staged, then the places of rows of both sides, then the cells along a destination run.
  CRINKLE_HD constexpr std::int32_t staged_bytes() const { return (n_bytes + 127) / 128 * 128; }
  CRINKLE_HD constexpr std::int32_t table_bytes() const { return table_bytes_of(read.n_table() + write.n_table()); }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return staged_bytes() + table_bytes() + 2 * n_run_table(); }

  CRINKLE_HD constexpr Block block(std::uint32_t index) const {
    Origin o = frame.origin(index);
    const std::int32_t run_bytes = read.run_limit(o) << frame.unit_log2;
    o.block.read_pieces = is_superset ? run_bytes : run_bytes >> load_log2;  // of a superset in bytes: the rest depends on the row
    o.block.read_rows = read.rows_limit(o);
    o.block.write_units = write.run_limit(o);
    o.block.write_rows = write.rows_limit(o);
    const bool is_full = o.length[0] == frame.cut[0].tile && o.length[1] == frame.cut[1].tile && o.block.low == -frame.reach;
    o.block.reads_inner = is_full;
    if (is_superset) {
      o.block.cell += static_cast<std::int32_t>(o.block.src & (load_bytes - 1));
      o.block.reads_inner = is_full && is_inside(o.block);
    }
    o.block.is_inner = o.block.reads_inner && (is_aligned || frame.reach != 0) && is_contiguous;
    return o.block;
  }
  /// Whether every vector that the block of a superset could read is inside the source.
  CRINKLE_HD constexpr bool is_inside(const Block& block) const {
    return block.src + rows_begin - load_bytes >= src_begin && block.src + rows_end + block.read_pieces + load_bytes <= src_end;
  }

  /// A source row as one thread sees it, the same for all its pieces of that row.
  struct Source {
    std::int64_t address = 0;  // of the thread's first piece; where runs are not contiguous, of the row
    std::int32_t slot = 0;
    std::int32_t cell = 0;      // of that piece, before it is swizzled
    std::int32_t n_pieces = 0;  // of the row; 0: there is none
  };
  template <Known known = 0>
  CRINKLE_HD constexpr Source source(const Block& block, const Walk::Lane& lane, std::int32_t down, const Place* table) const {
    Source source;
    const bool is_there = lane.row + down * read.lanes_rows < ((known & inner) != 0 ? read.n_rows : block.read_rows);
    if ((known & even_rows) == 0 && !is_there) return source;
    const Place row = read.row<known>(lane, down, table);
    const std::int32_t first = lane.piece << log2_load<known>();
    source.slot = block.src_slot + row.slot;
    source.address = block.src + row.address + ((known & contiguous) != 0 || reads_contiguous ? first : 0);
    source.cell = row.cell + first;
    source.n_pieces = block.read_pieces;
    if ((known & superset) != 0 || ((known & exact) == 0 && is_superset)) {
      const std::int32_t bytes = 1 << log2_load<known>(), phase = static_cast<std::int32_t>(source.address & (bytes - 1));
      source.address -= phase;
      source.cell += static_cast<std::int32_t>(block.src & (bytes - 1)) - phase;
      source.n_pieces = (phase + block.read_pieces + bytes - 1) >> log2_load<known>();
    }
    if (!is_there) source.n_pieces = 0;
    return source;
  }

  /// One source piece and the cell that takes it.
  struct Load {
    std::int64_t address = 0;
    std::int32_t slot = 0;
    std::int32_t cell = -1;  // negative: nothing to read
    std::uint32_t mask = 0;  // units of the piece to read: all but at the ends of the source under a superset
  };
  template <Known known = 0>
  CRINKLE_HD constexpr Load load(const Source& source, const Walk::Lane& lane, std::int32_t along_step) const {
    const std::int32_t further = along_step * static_cast<std::int32_t>(read.lanes_run.value()), piece = lane.piece + further;
    if (piece >= source.n_pieces) return {};
    const std::uint32_t all = (1u << (1 << (log2_load<known>() - log2_unit<known>()))) - 1;
    Load load{source.address, source.slot, place_cell<known>(source.cell + (further << log2_load<known>())), all};
    load.address += (known & contiguous) != 0 || reads_contiguous ? further << log2_load<known>()
                                                                  : read_run.at(static_cast<std::uint32_t>(piece)).address;
    if ((known & (inner | exact)) != 0 || !is_superset) return load;
    if (load.address < src_begin) load.mask &= all << ((src_begin - load.address) >> log2_unit<known>());
    if (load.address + load_bytes > src_end) load.mask &= all >> ((load.address + load_bytes - src_end) >> log2_unit<known>());
    return load;
  }

  /// A destination row as one thread sees it, the same for all its pieces of that row.
  struct Row {
    std::int64_t address = 0;  // of the thread's first piece
    std::int32_t slot = 0;
    std::int32_t first = 0;  // unit of the run in the lowest place of that piece; may be negative
    std::int32_t begin = 0;  // units of the run that this tile writes
    std::int32_t end = 0;    // no more than begin: nothing to do
    std::int32_t cell = 0;   // to be added to the cells of a run
  };
  template <Known known = 0>
  CRINKLE_HD constexpr Row row(const Block& block, const Walk::Lane& lane, std::int32_t down, const Place* table) const {
    Row row;
    if (lane.row + down * write.lanes_rows >= ((known & inner) != 0 ? write.n_rows : block.write_rows)) return row;
    const Place place = write.row<known>(lane, down, table);
    row.address = block.dst + place.address;
    row.slot = block.dst_slot + place.slot;
    row.first = lane.piece * vector_of<known>();
    row.begin = block.low;
    row.end = block.write_units;
    row.cell = block.cell + place.cell;
    if ((known & aligned) == 0 && ((known & contiguous) != 0 || is_contiguous) && !is_aligned) {
      const std::int32_t late = static_cast<std::int32_t>(row.address & (window - 1)) >> log2_unit<known>();
      row.first -= late;
      row.cell -= late * unit_cell;
      if (frame.reach != 0 && row.end > frame.cut[1].tile - late) row.end = frame.cut[1].tile - late;
    }
    if ((known & contiguous) != 0 || is_contiguous) row.address += row.first << log2_unit<known>();
    return row;
  }

  /// The cell, within its row, of unit k of a thread's first piece; for cell_of. Where units are `unit_cell` apart, it is that of unit 0
  /// and k of them.
  template <Known known = 0>
  CRINKLE_HD constexpr std::int32_t along(const Walk::Lane& lane, std::int32_t k) const {
    return (known & fixed) != 0 || is_fixed ? run_cell(lane.piece * vector_of<known>() + k) : 0;
  }

  /// One destination piece: where it goes, and which of the run's units it holds.
  struct Piece {
    Access access;
    std::int32_t first = 0;  // unit of the run in the lowest place; may be negative under a clear bit of the mask
    std::int32_t cell = 0;   // to be added to along() and the row's
  };
  template <Known known = 0>
  CRINKLE_HD constexpr Piece store(const Row& row, std::int32_t along_step) const {
    Piece piece;
    const std::int32_t n = vector_of<known>(), further = along_step * static_cast<std::int32_t>(write.lanes_run.value());
    piece.first = row.first + further * n;
    piece.cell = along_step * step_cell;
    const std::uint32_t all = (1u << n) - 1;
    if ((known & contiguous) == 0 && !is_contiguous) {
      if (piece.first < row.end) piece.access = {row.address + write_run.at(static_cast<std::uint32_t>(piece.first)).address, row.slot, 1u};
      return piece;
    }
    const std::int64_t address = row.address + (further * n << log2_unit<known>());
    if ((known & inner) != 0) {
      piece.access = {address, row.slot, row.end > piece.first ? all : 0};
      return piece;
    }
    const std::int32_t left = row.end - piece.first;  // bits from here on are after the run
    if ((known & aligned) != 0) {
      if (left > 0) piece.access = {address, row.slot, all};
      return piece;
    }
    const std::int32_t begin = row.begin - piece.first;  // bits below are before the run
    if (left <= 0 || begin >= n) return piece;
    piece.access = {address, row.slot, left >= n ? all : (1u << left) - 1};
    if (begin > 0) piece.access.mask &= ~((1u << begin) - 1);
    return piece;
  }

  /// If the cells along a destination run are not evenly spaced, a block tabulates the lowest 16 bits of run_cell(u) for its units u.
  using RunCell = std::uint16_t;
  CRINKLE_HD constexpr std::int32_t n_run_table() const {
    const std::int32_t n = write.run_units * frame.left_most(write.run_cut);
    return is_fixed || 2 * n > most_table_bytes || n_bytes > 0x10000 ? 0 : n;
  }
  CRINKLE_HD constexpr std::int32_t run_cell(std::int32_t unit) const {
    return write_run.count == 1 ? unit * write_run.digit[0].step.cell : write_run.at(static_cast<std::uint32_t>(unit)).cell;
  }
  /// The cell of a unit, given its entry of that table.
  template <Known known = 0>
  CRINKLE_HD constexpr std::int32_t cell_at(const Row& row, RunCell entry) const {
    return place_cell<known>((row.cell + entry) & 0xFFFF);
  }

  /// The cell of unit k of a piece, given along(lane, k). Requires bit k of its mask.
  template <Known known = 0>
  CRINKLE_HD constexpr std::int32_t cell_of(const Row& row, const Piece& piece, std::int32_t along_k, std::int32_t k) const {
    const std::int32_t byte = row.cell + ((known & fixed) != 0 || is_fixed ? along_k + piece.cell : run_cell(piece.first + k));
    return place_cell<known>(byte);
  }

  CRINKLE_HD constexpr Known known() const {
    Known k = 0;
    if (read.rows.count <= 1 && write.rows.count <= 1) k |= even_rows;
    if (reads_contiguous && is_contiguous) k |= contiguous;
    if (is_fixed) k |= fixed;
    if (n_run_table() > 0) k |= looked_up;
    if (is_contiguous && is_aligned) k |= aligned;
    if (swizzle.bits == 0) k |= straight;
    if (load_bytes == 16) k |= wide;
    return k | (is_superset ? superset : exact) | of_unit(frame.unit);
  }

 private:
  template <Known known>
  CRINKLE_HD constexpr std::int32_t log2_unit() const {
    return (known >> unit_at) != 0 ? static_cast<std::int32_t>(known >> unit_at) - 1 : frame.unit_log2;
  }
  template <Known known>
  CRINKLE_HD constexpr std::int32_t log2_load() const {
    return (known & wide) != 0 ? 4 : load_log2;
  }
  template <Known known>
  CRINKLE_HD constexpr std::int32_t vector_of() const {
    return (known & wide) != 0 && (known & contiguous) != 0 ? 16 >> log2_unit<known>() : vector;
  }
  template <Known known>
  CRINKLE_HD constexpr std::int32_t place_cell(std::int32_t byte) const {
    return (known & straight) != 0 ? byte : swizzle.place(byte);
  }
};

}  // namespace crinkle::tile
