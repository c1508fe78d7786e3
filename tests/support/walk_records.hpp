// The kernel of records, with addresses in place of data: warp by warp through its shares, a lane's cells moved on from piece to piece.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "support/walked.hpp"
#include "tile/record_tile.hpp"

namespace crinkle::testing {
namespace detail {

/// The kernel moves pieces [whole.first, whole.last) without a look at their masks.
inline bool is_told_apart(const tile::RecordTile::Whole& whole, std::int32_t piece, std::uint32_t mask, std::int32_t vector) {
  return (piece >= whole.first && piece < whole.last) == (mask == (1u << vector) - 1);
}

inline Fault read_records(const tile::RecordTile& tile, const tile::Block& block, const Span& span, Shared& shared) {
  using tile::RecordTile;
  const std::int32_t unit = tile.frame.unit;
  for (std::int32_t warp = 0; warp < tile.threads / RecordTile::lanes; ++warp) {
    RecordTile::Share share = tile.read_share(warp);
    for (std::int32_t at = share.first; at < share.last; ++share.region) {
      const std::int32_t end = std::min(share.last, tile.source_end(share.region));
      const RecordTile::Source source = tile.source_of(block, share.region);
      const RecordTile::Whole whole = RecordTile::whole(source, tile.piece_bytes);
      for (; at < end; ++at) {
        const std::int32_t piece = at - tile.source[share.region].first_piece;
        const RecordTile::Load load = tile.load(source, piece);
        if (!is_told_apart(whole, piece, load.cell < 0 ? 0 : load.mask, tile.vector)) return "a piece is not read as what it is";
        if (load.cell < 0) continue;
        if (load.address % tile.piece_bytes != 0 || load.cell % tile.piece_bytes != 0)
          return "a piece at address " + std::to_string(load.address) + " in cell " + std::to_string(load.cell);
        for (std::int32_t k = 0; k < tile.vector; ++k) {
          const std::int64_t from = load.address + k * unit;
          if ((load.mask >> k & 1) == 0) continue;
          if (from < span.begin || from + unit > span.end) return "a load outside the source at " + std::to_string(from);
          if (!shared.put(load.cell + k * unit, Unit{from, source.slot})) return "a cell is outside shared memory";
        }
      }
    }
  }
  return {};
}

}  // namespace detail

template <class Write>
Fault walk_records(const tile::RecordTile& tile, std::uint32_t index, const Span& span, Write&& write) {
  using tile::RecordTile;
  const tile::Block block = tile.block(index);
  const std::int32_t unit = tile.frame.unit;
  detail::Shared shared(tile.staged_bytes(), unit);
  for (std::int32_t byte = 0; tile.zeros_at >= 0 && byte < 128; byte += unit) shared.put(tile.zeros_at + byte, Unit{0, filled});
  const Fault fault = detail::read_records(tile, block, span, shared);
  if (!fault.empty()) return fault;
  std::vector<RecordTile::Entry> entries;
  for (std::int32_t e = 0; e < tile.n_entries; ++e) entries.push_back(tile.entry(e));
  for (std::int32_t warp = 0; warp < tile.threads / RecordTile::lanes; ++warp) {
    RecordTile::Share share = tile.write_share(warp);
    for (std::int32_t at = share.first; at < share.last; ++share.region) {
      const RecordTile::Region& region = tile.destination[share.region];
      const std::int32_t end = std::min(share.last, tile.destination_end(share.region));
      const RecordTile::Destination destination = tile.destination_of(block, share.region);
      if (destination.address % tile.piece_bytes != 0) return "a piece at address " + std::to_string(destination.address);
      for (std::int32_t lane = 0; lane < region.lanes_used; ++lane) {
        std::vector<RecordTile::Cell> cells;
        for (std::int32_t piece = at + lane; piece < end; piece += region.lanes_used) {
          const std::int32_t of_region = piece - region.first_piece, first = tile.first_unit(destination, of_region);
          for (RecordTile::Cell& cell : cells) cell.at += cell.next;
          if (cells.empty() || region.records_apart == 0) {
            cells.clear();
            cells.resize(static_cast<std::size_t>(tile.vector));
            tile.find_cells(destination, first, tile.vector, entries.data(), cells.data());
          }
          const std::uint32_t mask = tile.mask(destination, first);
          if (!detail::is_told_apart(RecordTile::whole(destination, tile.vector), of_region, mask, tile.vector))
            return "a piece is not written as what it is";
          for (std::int32_t k = 0; k < tile.vector; ++k) {
            const RecordTile::Cell& cell = cells[static_cast<std::size_t>(k)];
            if ((mask >> k & 1) == 0 || tile.is_gap(cell)) continue;
            write(Unit{destination.address + of_region * std::int64_t{tile.piece_bytes} + k * unit, destination.slot},
                  shared.get(tile.swizzle.place(cell.at)));
          }
        }
      }
      at = end;
    }
  }
  return {};
}

}  // namespace crinkle::testing
