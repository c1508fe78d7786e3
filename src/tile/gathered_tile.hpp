// The general staged tile: any rank, unit, pitch and alignment, short fast axes, groups that share axes. Reading puts the source run
// of every row, piece by piece, into a row of shared memory; writing collects each destination vector unit by unit,
//     shared(row r, byte b of its run) = swizzle(r · pitch + b),   cell(unit u of destination row j) = row_cell(j) + along(u),
// and stores aligned vectors, with a mask only where a row's ends are not aligned (paper 3's interlace and reorder are special cases).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/frame.hpp"
#include "tile/swizzle.hpp"

namespace crinkle::tile {

struct GatheredTile {
  Frame frame;
  std::int32_t threads = 256;
  std::int32_t load_bytes = 16;     // of one piece of a source run
  std::int32_t load_log2 = 4;
  std::int32_t store_bytes = 16;    // of one piece of a destination run
  std::int32_t vector = 4;          // units in a destination piece
  std::int32_t window = 16;         // bytes that the pieces of a destination row are aligned to: store_bytes, or a sector when leaning
  bool is_aligned = true;           // every destination row of every tile starts and ends on a multiple of store_bytes
  bool is_contiguous = true;        // destination runs are; otherwise a piece is one unit
  bool reads_contiguous = true;     // source runs are; otherwise a piece is one unit
  bool is_fixed = true;             // a step along a destination run moves all its cells alike: along(u + n) = along(u) + n · along_step
  std::int32_t pitch = 0;           // bytes of shared memory per source row
  std::int32_t step_cell = 0;       // bytes of shared memory by which one step along a destination run moves the cells
  std::int32_t unit_cell = 0;       // bytes of shared memory between neighbouring units, where all are evenly spaced
  Swizzle swizzle;
  Walk read;
  Digits read_run;                  // unit of a source run -> source offset, where it is not contiguous
  Walk write;
  Digits write_run;                 // unit of a destination run -> cell, and destination offset where it is not contiguous

  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return (read.n_rows * pitch + 127) / 128 * 128; }

  CRINKLE_HD constexpr Block block(std::uint32_t index) const {
    Origin o = frame.origin(index);
    if (o.is_empty()) return {};
    o.block.read_pieces = (read.run_limit(o) << frame.unit_log2) >> load_log2;
    o.block.read_rows = read.rows_limit(o);
    o.block.write_units = write.run_limit(o);
    o.block.write_rows = write.rows_limit(o);
    return o.block;
  }

  /// One source piece and the cell that takes it.
  struct Load {
    std::int64_t address = 0;
    std::int32_t slot = 0;
    std::int32_t cell = -1;  // negative: nothing to read
  };
  CRINKLE_HD constexpr Load load(const Block& block, const Walk::Lane& lane, std::int32_t index, const Place* table) const {
    const Walk::Step step = read.step(index);
    const std::int32_t r = lane.row + step.down * read.lanes_rows;
    const std::int32_t piece = lane.piece + step.along * static_cast<std::int32_t>(read.lanes_run.value());
    if (r >= block.read_rows || piece >= block.read_pieces) return {};
    const Place row = read.row(lane, step.down, table);
    const std::int64_t along = reads_contiguous ? piece << load_log2 : read_run.at(static_cast<std::uint32_t>(piece)).address;
    return {block.src + row.address + along, block.src_slot + row.slot, swizzle.place(r * pitch + (piece << load_log2))};
  }

  /// The cell, within its row, of unit k of a thread's first piece, for cell_of.
  CRINKLE_HD constexpr std::int32_t along(const Walk::Lane& lane, std::int32_t k) const { return is_fixed ? run_cell(lane.piece * vector + k) : 0; }

  /// One destination piece: where it goes, and which of the run's units it holds.
  struct Piece {
    Access access;
    std::int32_t first = 0;  // unit of the run in the lowest place of the piece; may be negative under a clear bit of the mask
    std::int32_t cell = 0;   // to be added to along()
  };
  CRINKLE_HD constexpr Piece store(const Block& block, const Walk::Lane& lane, std::int32_t index, const Place* table) const {
    const Walk::Step step = write.step(index);
    const std::int32_t piece_index = lane.piece + step.along * static_cast<std::int32_t>(write.lanes_run.value());
    Piece piece;
    if (lane.row + step.down * write.lanes_rows >= block.write_rows || piece_index >= write.n_pieces) return piece;
    const Place row = write.row(lane, step.down, table);
    const std::int64_t address = block.dst + row.address;
    const std::int32_t slot = block.dst_slot + row.slot;
    piece.first = piece_index * vector;
    piece.cell = block.cell + row.cell + step.along * step_cell;
    const std::uint32_t all = (1u << vector) - 1;
    if (is_contiguous && is_aligned) {
      if (piece.first < block.write_units) piece.access = {address + (piece.first << frame.unit_log2), slot, all};
      return piece;
    }
    if (!is_contiguous) {
      if (piece.first < block.write_units) piece.access = {address + write_run.at(static_cast<std::uint32_t>(piece_index)).address, slot, 1u};
      return piece;
    }
    const std::int32_t late = static_cast<std::int32_t>(address & (window - 1)) >> frame.unit_log2;
    piece.first -= late;
    piece.cell -= late * unit_cell;
    std::int32_t end = block.write_units;
    if (frame.reach != 0 && end > frame.cut[1].tile - late) end = frame.cut[1].tile - late;
    const std::int32_t begin = block.low - piece.first;  // bits below are before the run
    const std::int32_t left = end - piece.first;         // bits from here on are after it
    if (left <= 0 || begin >= vector) return piece;
    piece.access = {address + (piece.first << frame.unit_log2), slot, left >= vector ? all : (1u << left) - 1};
    if (begin > 0) piece.access.mask &= ~((1u << begin) - 1);
    return piece;
  }

  /// The cell of unit k of a piece, given along(lane, k). Requires bit k of its mask.
  CRINKLE_HD constexpr std::int32_t cell_of(const Piece& piece, std::int32_t along_k, std::int32_t k) const {
    return swizzle.place(piece.cell + (is_fixed ? along_k : run_cell(piece.first + k)));
  }

 private:
  CRINKLE_HD constexpr std::int32_t run_cell(std::int32_t unit) const {
    return write_run.count == 1 ? unit * write_run.digit[0].step.cell : write_run.at(static_cast<std::uint32_t>(unit)).cell;
  }
};

}  // namespace crinkle::tile
