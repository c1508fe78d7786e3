// The tile of records whose fields go to different places: so many records at once. On either side they are regions, each a stretch of
// records of the same bytes: an array of structures is one region, a structure of arrays has one for every field. Source regions go into
// shared memory as the aligned pieces that cover them; destination regions are written in aligned pieces, every unit of which is looked up:
//     unit u of a region's stretch: record j = ⌊u / row_units⌋, place c = u mod row_units,
//     cell(j, c) = cell_c + j · step_c,
// where a table of (cell, step) says for every place of a destination record where record 0 of the tile has it and how far records are
// apart there; negative where nothing is to be written. The pieces of all regions of a side are dealt out to the warps in equal shares, one
// behind the other. A lane's next piece lies whole records further on, so that its cells only move on by so many steps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/frame.hpp"
#include "tile/swizzle.hpp"

namespace crinkle::tile {

struct RecordTile {
  /// The threads of a block. Sixteen cells a piece of single bytes need so many registers that small blocks fill a multiprocessor better.
  CRINKLE_HD static constexpr std::int32_t threads_of(std::int32_t unit) { return unit == 1 ? 128 : 256; }
  static constexpr std::int64_t most_byte_tile_bytes = 32 << 10;
  static constexpr int max_regions = 32;
  static constexpr int max_parts = 128;
  static constexpr int lanes = 32;
  static constexpr std::int32_t no_cell = -(1 << 30);

  struct Region {
    std::int64_t begin = 0;   // of record 0, bytes
    std::int64_t end = 0;     // behind the last byte that may be read, or is written
    std::int32_t stride = 0;  // bytes from record to record
    std::int32_t slot = 0;
    std::int32_t at = 0;           // of a source: its first cell; of a destination: its first entry
    std::int32_t first_piece = 0;  // of all regions of the side
    // In a destination a lane's pieces lie `lanes_used` apart, which is `records_apart` records; 0 where a lane has to look up every
    // piece.
    std::int32_t lanes_used = lanes;
    std::int32_t records_apart = 0;
    Divisor<std::uint32_t> row_units;
  };
  /// Entries from `first` on up to the next part's: cell + k · step, records `stride` apart; no_cell in a gap. Zeros come from a cell of
  /// them.
  struct Part {
    std::int32_t first = 0;
    std::int32_t cell = no_cell;
    std::int32_t step = 0;
    std::int32_t stride = 0;
  };
  struct Entry {
    std::int32_t cell = no_cell;
    std::int32_t step = 0;
  };
  std::int32_t threads = 256;
  std::int32_t piece_bytes = 16;  // of an access to memory
  std::int32_t vector = 4;        // units in a piece
  std::int32_t n_sources = 0, n_destinations = 0, n_parts = 0, n_entries = 0;
  std::int32_t read_pieces = 0, write_pieces = 0;
  std::int32_t chunk = 1;  // records of a tile
  std::int64_t n_records = 0;
  std::int32_t n_bytes = 0;    // staged
  std::int32_t zeros_at = -1;  // a cell of 16 zeros; negative: none are written
  Swizzle swizzle;
  Frame frame;  // how many blocks, and the unit
  Array<Region, max_regions> source = {}, destination = {};
  Array<Part, max_parts> part = {};

  CRINKLE_HD constexpr std::int32_t staged_bytes() const { return (n_bytes + 127) / 128 * 128; }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return staged_bytes() + 8 * n_entries; }

  /// first: the block's first record; read_rows: how many it has.
  CRINKLE_HD constexpr Block block(std::uint32_t index) const {
    Block b;
    b.first = std::int64_t{index} * chunk;
    const std::int64_t left = n_records - b.first;
    b.read_rows = left < chunk ? static_cast<std::int32_t>(left) : chunk;
    b.src = source[0].begin + b.first * source[0].stride;
    b.dst = destination[0].begin + b.first * destination[0].stride;
    return b;
  }

  CRINKLE_HD constexpr Entry entry(std::int32_t e) const {
    std::int32_t low = 0, high = n_parts;  // the part that holds it lies in [low, high)
    while (high - low > 1) {
      const std::int32_t middle = (low + high) / 2;
      if (part[middle].first <= e) low = middle;
      else high = middle;
    }
    return {part[low].cell + (e - part[low].first) * part[low].step, part[low].stride};
  }

  /// The pieces of a side that a warp takes, [first, last) of all regions, and the region of the first one.
  struct Share {
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int32_t region = 0;
  };
  CRINKLE_HD constexpr Share read_share(std::int32_t warp) const { return share(source, n_sources, read_pieces, warp); }
  CRINKLE_HD constexpr Share write_share(std::int32_t warp) const { return share(destination, n_destinations, write_pieces, warp); }
  /// The number of the piece at which a region ends, counted over all regions.
  CRINKLE_HD constexpr std::int32_t source_end(std::int32_t r) const { return r + 1 < n_sources ? source[r + 1].first_piece : read_pieces; }
  CRINKLE_HD constexpr std::int32_t destination_end(std::int32_t r) const {
    return r + 1 < n_destinations ? destination[r + 1].first_piece : write_pieces;
  }

  /// A source region of a block.
  struct Source {
    std::int64_t address = 0;  // of its first piece
    std::int32_t slot = 0;
    std::int32_t cell = 0;
    std::int32_t low = 0;   // bytes from `address` on that may be read
    std::int32_t high = 0;  // … up to here; none of what the block needs lies behind
  };
  CRINKLE_HD constexpr Source source_of(const Block& block, std::int32_t region) const {
    const Region& r = source[region];
    const std::int64_t begin = r.begin + block.first * r.stride, all = begin + std::int64_t{block.read_rows} * r.stride;
    Source s{begin - (begin & (piece_bytes - 1)), r.slot, r.at, 0, 0};
    if (s.address < r.begin) s.low = static_cast<std::int32_t>(r.begin - s.address);
    s.high = static_cast<std::int32_t>((all < r.end ? all : r.end) - s.address);
    // Bytes behind these in the last piece may be read as well, up to the end of the region.
    const std::int32_t whole = (s.high + piece_bytes - 1) & ~(piece_bytes - 1);
    if (s.address + whole <= r.end) s.high = whole;
    return s;
  }
  /// Pieces [first, last) of a region of a block that are moved whole.
  struct Whole {
    std::int32_t first = 0;
    std::int32_t last = 0;
  };
  /// `bytes`: piece_bytes, which a kernel knows.
  CRINKLE_HD static constexpr Whole whole(const Source& s, std::int32_t bytes) { return {s.low > 0 ? 1 : 0, s.high / bytes}; }
  struct Load {
    std::int64_t address = 0;
    std::int32_t cell = -1;  // negative: nothing to read
    std::uint32_t mask = 0;  // units of the piece to read: all but at the ends of the region
  };
  CRINKLE_HD constexpr Load load(const Source& s, std::int32_t piece) const {
    const std::int32_t offset = piece * piece_bytes;
    if (offset >= s.high) return {};
    Load load{s.address + offset, swizzle.place(s.cell + offset), (1u << vector) - 1};
    if (offset < s.low) load.mask &= load.mask << ((s.low - offset) >> frame.unit_log2);
    if (offset + piece_bytes > s.high) load.mask &= ((1u << vector) - 1) >> ((offset + piece_bytes - s.high) >> frame.unit_log2);
    return load;
  }

  /// A destination region of a block.
  struct Destination {
    std::int64_t address = 0;  // of its first piece
    std::int32_t slot = 0;
    std::int32_t first = 0;  // unit of the stretch in that piece's lowest place, not above 0
    std::int32_t end = 0;    // units of the stretch
    std::int32_t region = 0;
  };
  CRINKLE_HD constexpr Destination destination_of(const Block& block, std::int32_t region) const {
    const Region& r = destination[region];
    const std::int64_t begin = r.begin + block.first * r.stride, all = begin + std::int64_t{block.read_rows} * r.stride;
    const std::int32_t late = static_cast<std::int32_t>(begin & (piece_bytes - 1));
    Destination d{begin - late, r.slot, -(late >> frame.unit_log2), 0, region};
    d.end = static_cast<std::int32_t>(((all < r.end ? all : r.end) - begin) >> frame.unit_log2);
    return d;
  }
  /// `units`: vector, which a kernel knows.
  CRINKLE_HD static constexpr Whole whole(const Destination& d, std::int32_t units) {
    return {d.first < 0 ? 1 : 0, (d.end - d.first) / units};
  }
  CRINKLE_HD constexpr std::int32_t first_unit(const Destination& d, std::int32_t piece) const { return d.first + piece * vector; }
  /// Units of a piece that lie within the stretch.
  CRINKLE_HD constexpr std::uint32_t mask(const Destination& d, std::int32_t first) const {
    const std::uint32_t all = (1u << vector) - 1;
    if (first >= d.end) return 0;
    std::uint32_t mask = d.end - first >= vector ? all : (1u << (d.end - first)) - 1;
    if (first < 0) mask &= all << -first;
    return mask;
  }

  /// The cell in which a lane finds a unit of its piece, and by how much that moves on to its next one.
  struct Cell {
    std::int32_t at = no_cell;  // before it is swizzled; no_cell or a little more: a gap
    std::int32_t next = 0;
  };
  /// Finds the cells of n units of the stretch from `unit` on, which is not below −vector; `entries`: entry(e) for e in [0, n_entries).
  template <class Entries>
  CRINKLE_HD constexpr void find_cells(const Destination& d, std::int32_t unit, std::int32_t n, const Entries& entries, Cell* cells) const {
    const Region& r = destination[d.region];
    const auto row_units = static_cast<std::int32_t>(r.row_units.value());
    const Division<std::uint32_t> at = r.row_units.divide(static_cast<std::uint32_t>(unit + vector * row_units));
    std::int32_t record = static_cast<std::int32_t>(at.quotient) - vector, place = static_cast<std::int32_t>(at.remainder);
    for (std::int32_t k = 0; k < n; ++k) {
      const Entry e = entries[r.at + place];
      cells[k] = {e.cell + record * e.step, r.records_apart * e.step};
      if (++place == row_units) place = 0, ++record;
    }
  }
  CRINKLE_HD constexpr bool is_gap(const Cell& cell) const { return cell.at < no_cell / 2; }
  /// Whether b's unit follows a's, now and in all later pieces.
  CRINKLE_HD constexpr bool follows(const Cell& b, const Cell& a) const { return b.at == a.at + frame.unit && b.next == a.next; }

 private:
  CRINKLE_HD constexpr Share share(const Array<Region, max_regions>& regions, std::int32_t n, std::int32_t pieces,
                                   std::int32_t warp) const {
    const std::int32_t n_warps = threads / lanes;
    Share s{pieces * warp / n_warps, pieces * (warp + 1) / n_warps, 0};
    while (s.region + 1 < n && regions[s.region + 1].first_piece <= s.first) ++s.region;
    return s;
  }
};

}  // namespace crinkle::tile
