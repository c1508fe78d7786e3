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
  CRINKLE_HD constexpr std::int32_t read_steps() const { return read.n_steps; }
  CRINKLE_HD constexpr std::int32_t write_steps() const { return write.n_steps; }

  CRINKLE_HD constexpr Walk::Lane read_lane(std::int32_t thread) const { return read.lane(thread); }

  /// One source piece and the cell that takes it.
  struct Load {
    std::int64_t address = 0;
    std::int32_t slot = 0;
    std::int32_t cell = -1;  // negative: nothing to read
  };
  CRINKLE_HD constexpr Load load(const Block& block, const Walk::Lane& lane, std::int32_t index) const {
    const Walk::Step step = read.step(index);
    const std::int32_t r = lane.row + step.rows, piece = lane.piece + step.pieces, byte = piece * load_bytes;
    if (r >= read.rows_limit(block) || byte >= read.run_limit(block) << frame.unit_log2 || piece >= read.n_pieces) return {};
    const Place row = read.row(lane, step.rows);
    const std::int64_t along = reads_contiguous ? byte : read_run.at(static_cast<std::uint32_t>(piece)).src;
    return {block.src + row.src + along, block.src_slot + row.src_slot, swizzle.place(r * pitch + byte)};
  }

  CRINKLE_HD constexpr Walk::Lane write_lane(std::int32_t thread) const { return write.lane(thread); }

  /// The cell, within its row, of unit k of a thread's first piece, for cell_of.
  CRINKLE_HD constexpr std::int32_t along(const Walk::Lane& lane, std::int32_t k) const { return is_fixed ? run_cell(lane.piece * vector + k) : 0; }

  /// One destination piece: where it goes, and which of the run's units it holds.
  struct Piece {
    Access access;
    std::int32_t first = 0;  // unit of the run in the lowest place of the piece; may be negative under a clear bit of the mask
    std::int32_t cell = 0;   // to be added to along()
  };
  CRINKLE_HD constexpr Piece store(const Block& block, const Walk::Lane& lane, std::int32_t index) const {
    const Walk::Step step = write.step(index);
    const std::int32_t piece_index = lane.piece + step.pieces;
    Piece piece;
    if (lane.row + step.rows >= write.rows_limit(block) || piece_index >= write.n_pieces) return piece;
    const Place row = write.row(lane, step.rows);
    const std::int64_t address = block.dst + row.dst;
    const std::int32_t slot = block.dst_slot + row.dst_slot;
    std::int32_t end = write.run_limit(block);
    piece.first = piece_index * vector;
    piece.cell = block.cell + row.cell;
    if (step.pieces != 0 && is_fixed) piece.cell += step.pieces / static_cast<std::int32_t>(write.lanes_run.value()) * step_cell;
    if (!is_contiguous) {
      if (piece.first < end) piece.access = {address + write_run.at(static_cast<std::uint32_t>(piece_index)).dst, slot, 1u};
      return piece;
    }
    if (!is_aligned) {
      const std::int32_t late = static_cast<std::int32_t>(address & (window - 1)) >> frame.unit_log2;
      piece.first -= late;
      piece.cell -= late * unit_cell;
      if (frame.reach != 0 && end > frame.cut[1].tile - late) end = frame.cut[1].tile - late;
    }
    const std::int32_t begin = block.low - piece.first;  // bits below are before the run
    const std::int32_t left = end - piece.first;         // bits from here on are after it
    if (left <= 0 || begin >= vector) return piece;
    std::uint32_t mask = left >= vector ? (1u << vector) - 1 : (1u << left) - 1;
    if (begin > 0) mask &= ~((1u << begin) - 1);
    piece.access = {address + (piece.first << frame.unit_log2), slot, mask};
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
