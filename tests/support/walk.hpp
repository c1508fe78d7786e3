// Walks a tile on the CPU, thread by thread and step by step, exactly as a kernel would, with addresses in place of data: shared memory
// holds for every unit the source address it came from. What comes out is the list of (destination unit <- source unit).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "support/walk_gathered.hpp"
#include "support/walk_records.hpp"
#include "support/walked.hpp"
#include "tile/shape.hpp"

namespace crinkle::testing {

template <class Write>
Fault walk_block(const tile::TransposedTile& tile, std::uint32_t index, const Span&, Write&& write) {
  const tile::Block block = tile.block(index);
  const std::int32_t unit = tile.frame.unit, n = tile.vector;
  detail::Shared shared(tile.staged_bytes(), unit);
  const auto read_table = detail::table_of(tile.rows, tile.n_table()),
             write_table = detail::table_of(tile.write.rows, tile.write.n_table());
  for (std::int32_t thread = 0; thread < tile.threads; ++thread)
    for (std::int32_t step = 0; step < tile.read.n_steps; ++step) {
      const auto square = tile.square(block, tile.read.lane(thread), step);
      if (!square.is_inside) continue;
      std::vector<Unit> registers(static_cast<std::size_t>(n * n), Unit{0, unwritten});
      for (std::int32_t k = 0; k < n; ++k) {
        const tile::Access access = tile.load(square, k, read_table.data());
        if (access.address % 16 != 0) return "a 16-byte load at address " + std::to_string(access.address);
        for (std::int32_t i = 0; i < n; ++i) registers[static_cast<std::size_t>(i * n + k)] = {access.address + i * unit, access.slot};
      }
      for (std::int32_t i = 0; i < n; ++i)
        for (std::int32_t k = 0; k < n; ++k)
          if (!shared.put(tile.cell(square, i) + k * unit, registers[static_cast<std::size_t>(i * n + k)]))
            return "a cell is outside shared memory";
    }
  for (std::int32_t thread = 0; thread < tile.threads; ++thread)
    for (std::int32_t step = 0; step < tile.write.n_steps; ++step) {
      const auto piece = tile.store(block, tile.write.lane(thread), step, write_table.data());
      if (piece.access.mask == 0) continue;
      if (piece.access.address % 16 != 0) return "a 16-byte store at address " + std::to_string(piece.access.address);
      for (std::int32_t k = 0; k < n; ++k)
        write(Unit{piece.access.address + k * unit, piece.access.slot}, shared.get(piece.cell + k * unit));
    }
  return {};
}

template <class Write>
Fault walk_block(const tile::GatheredTile& tile, std::uint32_t index, const Span& span, Write&& write) {
  return walk_gathered(tile, index, span, write);
}

/// Rows of nothing but whole vectors, as their own kernel walks them.
template <class Write>
Fault walk_plain(const tile::RowTile& tile, const tile::Block& block, const Span& span, Write&& write) {
  const bool is_one_row = tile.walk.n_rows == 1;
  const auto stretch = tile.plain_stretch(block);
  for (std::int32_t i = 0; i < tile.n_plain(); ++i) {
    const auto piece = tile.plain(block, i);
    if (is_one_row && stretch.holds(i) != (piece.access.mask != 0)) return "a stretch of other pieces than the row has";
    if (piece.access.mask == 0) continue;
    if (is_one_row && (stretch.dst + stretch.destination(i) != piece.access.address || stretch.src + stretch.source(i) != piece.src ||
                       stretch.src_slot != piece.src_slot || block.dst_slot != piece.access.slot))
      return "a stretch that lies elsewhere than its row";
    if (piece.access.address % 16 != 0) return "a vector store at address " + std::to_string(piece.access.address);
    if (piece.src % 16 != 0 || piece.src < span.begin || piece.src + 16 > span.end)
      return "a vector load at address " + std::to_string(piece.src);
    write(Unit{piece.access.address, piece.access.slot}, Unit{piece.src, piece.src_slot});
  }
  return {};
}

template <class Write>
Fault walk_block(const tile::RowTile& tile, std::uint32_t index, const Span& span, Write&& write) {
  using How = tile::RowTile::How;
  const tile::Block block = tile.block(index);
  const std::int32_t unit = tile.frame.unit;
  if (tile.is_plain()) return walk_plain(tile, block, span, write);
  const tile::RowTile::Stretch stretch = tile.stretch(block);
  for (std::int32_t at = stretch.begin; at < stretch.end; ++at) {
    const std::int64_t from = stretch.src + stretch.source(at);
    const bool is_turned = stretch.how == How::backwards;
    if (at >= tile.n_stretch_steps() * tile.threads) return "a stretch of more pieces than threads take";
    if (from % tile.piece_bytes != 0 || from < span.begin || from + tile.piece_bytes * (stretch.shift != 0 ? 2 : 1) > span.end)
      return "a vector load at address " + std::to_string(from);
    for (std::int32_t k = 0; k < tile.vector; ++k)
      write(Unit{stretch.dst + stretch.destination(at) + k * unit, block.dst_slot},
            Unit{from + stretch.shift + (is_turned ? tile.vector - 1 - k : k) * unit, stretch.src_slot});
  }
  const bool has_stretch = stretch.begin < stretch.end;
  for (std::int32_t thread = 0; thread < tile.threads; ++thread)
    for (std::int32_t step = 0; step < (has_stretch ? (tile.n_beside(stretch) + tile.threads - 1) / tile.threads : tile.walk.n_steps);
         ++step) {
      const std::int32_t beside = thread + step * tile.threads;
      if (has_stretch && beside >= tile.n_beside(stretch)) continue;
      const tile::RowTile::Piece piece =
          has_stretch ? tile.beside(block, stretch, beside) : tile.piece(block, tile.walk.lane(thread), step);
      const std::uint32_t all = (1u << tile.vector) - 1;
      if (piece.access.mask == all && piece.access.address % tile.piece_bytes != 0 && tile.is_contiguous)
        return "a vector store at address " + std::to_string(piece.access.address);
      const bool is_vector = piece.how == How::forwards || piece.how == How::backwards;
      if (is_vector && (piece.src % tile.piece_bytes != 0 || piece.src < span.begin ||
                        piece.src + tile.piece_bytes * (piece.shift != 0 ? 2 : 1) > span.end))
        return "a vector load at address " + std::to_string(piece.src);
      for (std::int32_t k = 0; k < tile.vector; ++k) {
        if ((piece.access.mask >> k & 1) == 0) continue;
        const std::int32_t slot = piece.row_slot + tile.segments[piece.segment].src_slot;
        Unit from{0, filled};
        if (piece.how == How::forwards) from = {piece.src + piece.shift + k * unit, slot};
        if (piece.how == How::backwards) from = {piece.src + piece.shift + (tile.vector - 1 - k) * unit, slot};
        if (piece.how == How::standing) from = {piece.src, slot};
        if (piece.how == How::units && tile.source(piece, k).mask != 0) from = {tile.source(piece, k).address, tile.source(piece, k).slot};
        write(Unit{piece.access.address + (tile.is_contiguous ? k * unit : 0), piece.access.slot}, from);
      }
    }
  return {};
}

template <class Write>
Fault walk_block(const tile::SegmentedTile& tile, std::uint32_t index, const Span& span, Write&& write) {
  const tile::Block block = tile.block(index);
  const std::int32_t unit = tile.frame.unit;
  detail::Shared shared(tile.staged_bytes(), unit);
  const auto reads = tile.run_reads(block);
  for (std::int32_t i = 0; i < tile.n_read_steps() * tile.threads; ++i) {
    if (reads.is_inside && i >= reads.n_vectors) continue;
    const auto load = !reads.is_inside   ? tile.load(block, i)
                      : tile.n_runs == 1 ? tile.template run_load<true>(block, reads, i)
                                         : tile.run_load(block, reads, i);
    if (load.cell < 0) continue;
    if (load.address % 16 != 0 || load.cell % 16 != 0) return "a 16-byte load at address " + std::to_string(load.address);
    for (std::int32_t k = 0; k < tile.vector; ++k) {
      if ((load.mask >> k & 1) == 0) continue;
      const std::int64_t from = load.address + k * unit;
      if (from < span.begin || from + unit > span.end) return "a load outside the source at " + std::to_string(from);
      if (!shared.put(load.cell + k * unit, Unit{from, load.slot})) return "a cell is outside shared memory";
    }
  }
  const auto few = tile.few();
  for (std::int32_t i = 0; i < tile.n_write_steps() * tile.threads; ++i) {
    const auto start = tile.start(block, i);
    if (start.run >= block.write_rows) continue;
    if (few.is_all) {
      const bool is_whole = tile.is_whole(block, start);
      const auto part = tile.piece(block, i);
      const std::uint32_t mask = is_whole ? (1u << tile.vector) - 1 : part.access.mask;
      if (mask == 0) continue;
      if (is_whole && start.address % 16 != 0) return "a vector store at address " + std::to_string(start.address);
      const auto at = is_whole ? tile.two_rows(start) : tile.two_rows(part);
      if (at.row + 1 >= tile.n_bases()) return "a row behind the tile's last";
      const std::int32_t base = tile.base(block, at.row), next = tile.base(block, at.row + 1);
      for (std::int32_t k = 0; k < tile.vector; ++k) {
        if ((mask >> k & 1) == 0) continue;
        const std::int32_t cell =
            few.has_one_step() ? tile.template cell<true>(few, at, k, base, next) : tile.template cell<false>(few, at, k, base, next);
        write(Unit{start.address + k * unit, start.slot}, shared.get(cell));
      }
      continue;
    }
    const auto piece = tile.piece(block, i);
    const std::uint32_t mask = piece.access.mask;
    if (mask == (1u << tile.vector) - 1 && piece.access.address % 16 != 0)
      return "a vector store at address " + std::to_string(piece.access.address);
    for (std::int32_t k = 0; k < tile.vector; ++k) {
      if ((mask >> k & 1) == 0) continue;
      const auto spot = tile.spot(piece, k);
      const std::int32_t segment = tile.segment_of(spot.column);
      if (spot.row >= tile.n_bases()) return "a row behind the tile's last";
      const std::int32_t cell = tile.cell(tile.base(block, spot.row), segment, spot.column);
      write(Unit{piece.access.address + k * unit, piece.access.slot}, tile.cells[segment].is_fill ? Unit{0, filled} : shared.get(cell));
    }
  }
  return {};
}

template <class Write>
Fault walk_block(const tile::RecordTile& tile, std::uint32_t index, const Span& span, Write&& write) {
  return walk_records(tile, index, span, write);
}

/// Walks one block of any tile. `write` is called with (destination unit, source unit) for every unit written; an unwritten source is a
/// cell of shared memory read before it was written.
template <class Write>
Fault walk_block(const tile::Tile& tile, std::uint32_t index, const Span& span, Write&& write) {
  return std::visit([&](const auto& t) { return walk_block(t, index, span, write); }, tile);
}

}  // namespace crinkle::testing
