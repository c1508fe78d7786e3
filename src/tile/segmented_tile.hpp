// The tile of short rows made of segments: rolled, padded, flipped, ragged and slices of a few bytes to some thousand. Whole rows go into
// shared memory as the aligned vectors that cover what they need of the source; the destination is written in aligned pieces that run on
// from row to row where rows follow each other without a gap:
//     run of rows = R · row_units units,   unit u of a run: row j = ⌊u / row_units⌋, column c = u mod row_units,
//     cell(j, c) = base(j) + offset_s + (c − first_s) · step_s − low   for the segment s of column c.
// Where rows lie near each other in the source, too, those of a run are read as one stretch, otherwise one by one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/frame.hpp"
#include "tile/segments.hpp"

namespace crinkle::tile {

struct SegmentedTile {
  std::int32_t threads = 256;
  std::int32_t vector = 4;  // units in a piece of 16 bytes
  std::int32_t vector_log2 = 2;
  std::int32_t n_segments = 1;
  std::int32_t run_rows = 1;  // R: rows of a run, cut 0
  std::int32_t n_runs = 1;    // in a tile, cut 1
  bool reads_runs = true;     // a run is read as one stretch
  std::int32_t n_reads = 1;   // stretches read
  std::int32_t window = 0;    // bytes of the source that one row needs, from the byte `low` after its origin
  std::int64_t low = 0;
  std::int32_t pitch = 0;                   // bytes of shared memory per stretch
  Place row_src;                            // from one row to the next in the source
  Place run_src, run_dst;                   // from one run to the next
  std::int64_t src_begin = 0, src_end = 0;  // what whole vectors must not leave, in bytes
  Divisor<std::uint32_t> row_units;         // of the destination
  Divisor<std::uint32_t> rows;              // R again, to divide by
  Divisor<std::uint32_t> read_pieces;       // vectors of a stretch
  Divisor<std::uint32_t> write_pieces;      // of a run

  /// A segment in shared memory: column c ≥ first of it lies at cell base(row) + origin + c · step, or is a pattern.
  struct Cells {
    std::int32_t first = 0;
    std::int32_t origin = 0;
    std::int32_t step = 0;
    bool is_fill = false;
    alignas(8) Array<std::uint8_t, 16> pattern = {};
  };

  struct Load {
    std::int64_t address = 0;
    std::int32_t slot = 0;
    std::int32_t cell = -1;  // negative: nothing to read
    std::uint32_t mask = 0;  // units of the vector to read: all but at the ends of the source
  };

  /// A destination piece, and where its first unit is: unit `skipped` of the piece, at the beginning of a run.
  struct Piece {
    Access access;
    std::int32_t skipped = 0;
    std::int32_t row = 0;  // of the tile
    std::int32_t column = 0;
  };

  Frame frame;
  Array<Cells, max_segments> cells = {};

  /// The stretches, and behind them for every row of the tile, and one more, the cell of its byte `low`.
  CRINKLE_HD constexpr std::int32_t bases_at() const { return n_reads * pitch; }
  CRINKLE_HD constexpr std::int32_t n_bases() const { return n_runs * run_rows + 1; }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return bases_at() + 4 * n_bases(); }
  CRINKLE_HD constexpr std::int32_t base(const Block& block, std::int32_t row) const {
    const Division<std::uint32_t> of = rows.divide(static_cast<std::uint32_t>(row));
    return base_of(block, static_cast<std::int32_t>(of.quotient), static_cast<std::int32_t>(of.remainder));
  }
  CRINKLE_HD constexpr std::int32_t n_read_steps() const {
    return (n_reads * static_cast<std::int32_t>(read_pieces.value()) + threads - 1) / threads;
  }
  CRINKLE_HD constexpr std::int32_t n_write_steps() const {
    return (n_runs * static_cast<std::int32_t>(write_pieces.value()) + threads - 1) / threads;
  }

  CRINKLE_HD constexpr Block block(std::uint32_t index) const {
    Origin o = frame.origin(index);
    if (o.is_empty()) return {};
    o.block.read_rows = o.length[0];
    o.block.write_rows = o.length[1];
    return o.block;
  }

  /// The i-th vector of a block's stretches.
  CRINKLE_HD constexpr Load load(const Block& block, std::int32_t i) const {
    const Division<std::uint32_t> at = read_pieces.divide(static_cast<std::uint32_t>(i));
    const auto read = static_cast<std::int32_t>(at.quotient), vector_at = static_cast<std::int32_t>(at.remainder);
    const Division<std::uint32_t> of = reads_runs ? Division<std::uint32_t>{at.quotient, 0} : rows.divide(at.quotient);
    const auto run = static_cast<std::int32_t>(of.quotient), row = static_cast<std::int32_t>(of.remainder);
    if (run >= block.write_rows || row >= block.read_rows) return {};
    const std::int64_t begin = begins_at(block, run, row), bytes = reads_runs ? stretch_bytes(block.read_rows) : window;
    const std::int64_t address = (begin & ~std::int64_t{15}) + (vector_at << 4);
    if (address >= begin + bytes) return {};
    Load load{address, block.src_slot + run * run_src.slot + row * row_src.slot, read * pitch + (vector_at << 4), (1u << vector) - 1};
    if (address < src_begin) load.mask &= load.mask << ((src_begin - address) >> frame.unit_log2);
    if (address + 16 > src_end) load.mask &= ((1u << vector) - 1) >> ((address + 16 - src_end) >> frame.unit_log2);
    return load;
  }

  /// Of a tile that reads runs: where the first one begins, how long each is, and whether their vectors all stay inside the source.
  struct RunReads {
    std::int64_t begin = 0;
    std::int32_t bytes = 0;
    bool is_inside = false;
  };
  CRINKLE_HD constexpr RunReads run_reads(const Block& block) const {
    RunReads r;
    r.begin = begins_at(block, 0, 0);
    r.bytes = static_cast<std::int32_t>(stretch_bytes(block.read_rows));
    const std::int64_t further = (block.write_rows - 1) * run_src.address;
    r.is_inside =
        r.begin + (further < 0 ? further : 0) - 15 >= src_begin && r.begin + (further < 0 ? 0 : further) + r.bytes + 15 <= src_end;
    return r;
  }

  /// Where the i-th destination piece of a block begins: at this unit of its run, which may be negative.
  struct Start {
    std::int64_t address = 0;
    std::int32_t slot = 0;
    std::int32_t run = 0;
    std::int32_t first = 0;
  };
  CRINKLE_HD constexpr Start start(const Block& block, std::int32_t i) const {
    Division<std::uint32_t> at{0, static_cast<std::uint32_t>(i)};
    if (n_runs > 1) at = write_pieces.divide(at.remainder);
    Start s;
    s.run = static_cast<std::int32_t>(at.quotient);
    const std::int64_t origin = block.dst + s.run * run_dst.address;
    const std::int32_t late = static_cast<std::int32_t>(origin) & 15, bytes = static_cast<std::int32_t>(at.remainder) << 4;
    s.first = (bytes - late) >> frame.unit_log2;
    s.address = origin - late + bytes;
    s.slot = block.dst_slot + s.run * run_dst.slot;
    return s;
  }

  /// The i-th destination piece of a block.
  CRINKLE_HD constexpr Piece piece(const Block& block, std::int32_t i) const {
    Piece p;
    const Start s = start(block, i);
    if (s.run >= block.write_rows) return p;
    const std::int32_t left = block.read_rows * static_cast<std::int32_t>(row_units.value()) - s.first;
    if (left <= 0 || s.first + vector <= 0) return p;
    p.access = {s.address, s.slot, left >= vector ? (1u << vector) - 1 : (1u << left) - 1};
    p.skipped = s.first < 0 ? -s.first : 0;
    p.access.mask &= ~((1u << p.skipped) - 1);
    const Division<std::uint32_t> of = row_units.divide(static_cast<std::uint32_t>(s.first < 0 ? 0 : s.first));
    p.row = s.run * run_rows + static_cast<std::int32_t>(of.quotient);
    p.column = static_cast<std::int32_t>(of.remainder);
    return p;
  }

  /// Row and column of unit k of a piece, one that its mask names. Rows of a vector or more go on to the next one at most once in a piece.
  struct Spot {
    std::int32_t row = 0;
    std::int32_t column = 0;
  };
  CRINKLE_HD constexpr Spot spot(const Piece& p, std::int32_t k) const {
    const auto n = static_cast<std::int32_t>(row_units.value());
    const std::int32_t column = p.column + k - p.skipped;
    if (n >= vector) return column >= n ? Spot{p.row + 1, column - n} : Spot{p.row, column};
    const Division<std::uint32_t> of = row_units.divide(static_cast<std::uint32_t>(column));
    return {p.row + static_cast<std::int32_t>(of.quotient), static_cast<std::int32_t>(of.remainder)};
  }
  /// The segment of a column, and the cell of its unit, given the row's base; of a fill it means nothing.
  CRINKLE_HD constexpr std::int32_t segment_of(std::int32_t column) const {
    std::int32_t s = 0;
    while (s + 1 < n_segments && cells[s + 1].first <= column) ++s;
    return s;
  }
  CRINKLE_HD constexpr std::int32_t cell(std::int32_t base, std::int32_t segment, std::int32_t column) const {
    return base + cells[segment].origin + column * cells[segment].step;
  }

 private:
  CRINKLE_HD constexpr std::int64_t stretch_bytes(std::int32_t n_rows) const {
    return (n_rows - 1) * (row_src.address < 0 ? -row_src.address : row_src.address) + window;
  }
  /// The lowest byte that a stretch needs.
  CRINKLE_HD constexpr std::int64_t begins_at(const Block& block, std::int32_t run, std::int32_t row) const {
    const std::int32_t lowest = !reads_runs ? row : row_src.address < 0 ? block.read_rows - 1 : 0;
    return block.src + low + run * run_src.address + lowest * row_src.address;
  }
  CRINKLE_HD constexpr std::int32_t base_of(const Block& block, std::int32_t run, std::int32_t row) const {
    const std::int32_t read = reads_runs ? run : run * run_rows + row;
    const std::int64_t begin = begins_at(block, run, row), origin = block.src + low + run * run_src.address + row * row_src.address;
    return read * pitch + static_cast<std::int32_t>(origin - (begin & ~std::int64_t{15}));
  }
};

}  // namespace crinkle::tile
