// The tile of short rows made of segments: rolled, padded, flipped, ragged and slices of a few bytes to some thousand. Whole rows go into
// shared memory as the aligned vectors that cover what they need of the source; the destination is written in aligned pieces that run on
// from row to row where rows follow each other without a gap:
//     run of rows = R · row_units units,   unit u of a run: row j = ⌊u / row_units⌋, column c = u mod row_units,
//     cell(j, c) = base(j) + offset_s + (c − first_s) · step_s − low   for the segment s of column c.
// If rows lie near each other in the source, too, those of a run are read as one stretch, otherwise one by one.
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

  /// Shared memory: the stretches, and behind them for every row of the tile, and one more, the cell of its byte `low`.
  CRINKLE_HD constexpr std::int32_t staged_bytes() const { return n_reads * pitch; }
  CRINKLE_HD constexpr std::int32_t n_bases() const { return n_runs * run_rows + 1; }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return staged_bytes() + 4 * n_bases(); }
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

  /// The reads of a tile that reads runs of one buffer: where the first one begins, how long each is, and whether all their vectors stay
  /// inside the source, so that there is nothing else to ask.
  struct RunReads {
    std::int64_t begin = 0;
    std::int32_t bytes = 0;
    std::int32_t n_vectors = 0;  // of all runs
    bool is_inside = false;
  };
  CRINKLE_HD constexpr RunReads run_reads(const Block& block) const {
    RunReads r;
    if (!reads_runs || run_src.slot != 0) return r;
    r.begin = begins_at(block, 0, 0);
    r.bytes = static_cast<std::int32_t>(stretch_bytes(block.read_rows));
    r.n_vectors = n_runs == 1 ? ((static_cast<std::int32_t>(r.begin) & 15) + r.bytes + 15) >> 4
                              : block.write_rows * static_cast<std::int32_t>(read_pieces.value());
    r.is_inside = is_inside(block);
    return r;
  }
  /// Whether all vectors that the block could read are inside the source.
  CRINKLE_HD constexpr bool is_inside(const Block& block) const {
    const std::int64_t down = (block.read_rows - 1) * row_src.address, further = (block.write_rows - 1) * run_src.address;
    const std::int64_t before = (down < 0 ? down : 0) + (further < 0 ? further : 0), origin = block.src + low;
    const std::int64_t behind = (down < 0 ? 0 : down) + (further < 0 ? 0 : further) + window;
    return origin + before - 15 >= src_begin && origin + behind + 15 <= src_end;
  }
  /// The i-th vector of runs that are inside, whole; of a single run without a division.
  template <bool is_single = false>
  CRINKLE_HD constexpr Load run_load(const Block& block, const RunReads& r, std::int32_t i) const {
    const std::uint32_t all = (1u << vector) - 1;
    if (is_single) return {(r.begin & ~std::int64_t{15}) + (i << 4), block.src_slot, i << 4, all};
    const Division<std::uint32_t> at = read_pieces.divide(static_cast<std::uint32_t>(i));
    const std::int64_t begin = r.begin + static_cast<std::int32_t>(at.quotient) * run_src.address;
    const std::int32_t offset = static_cast<std::int32_t>(at.remainder << 4) - (static_cast<std::int32_t>(begin) & 15);
    if (offset >= r.bytes) return {};
    return {begin + offset, block.src_slot, i << 4, all};
  }

  /// The i-th destination piece of a block begins at this unit of its run, which may be negative.
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

  /// Up to three segments without a fill, for registers: asked by comparing, not looked up.
  struct Few {
    std::int32_t b_first = INT32_MAX, c_first = INT32_MAX;
    std::int32_t a_origin = 0, b_origin = 0, c_origin = 0;
    std::int32_t a_step = 0, b_step = 0, c_step = 0;
    bool is_all = false;  // the tile has no more, and its rows are a vector or longer

    CRINKLE_HD constexpr bool has_one_step() const { return a_step == b_step && a_step == c_step; }
  };
  CRINKLE_HD constexpr Few few() const {
    Few f;
    f.a_origin = cells[0].origin;
    f.a_step = f.b_step = f.c_step = cells[0].step;
    f.is_all = n_segments <= 3 && !cells[0].is_fill && static_cast<std::int32_t>(row_units.value()) >= vector;
    if (n_segments > 1) {
      f.b_first = cells[1].first, f.b_origin = cells[1].origin, f.b_step = cells[1].step;
      f.is_all = f.is_all && !cells[1].is_fill;
    }
    if (n_segments > 2) {
      f.c_first = cells[2].first, f.c_origin = cells[2].origin, f.c_step = cells[2].step;
      f.is_all = f.is_all && !cells[2].is_fill;
    }
    return f;
  }

  /// Whether a piece is whole. In a tile of few segments it lies in the row where it begins, and the next one.
  CRINKLE_HD constexpr bool is_whole(const Block& block, const Start& s) const {
    return s.first >= 0 && s.first + vector <= block.read_rows * static_cast<std::int32_t>(row_units.value());
  }
  CRINKLE_HD constexpr Spot two_rows(const Start& s) const {
    const Division<std::uint32_t> at = row_units.divide(static_cast<std::uint32_t>(s.first));
    return {s.run * run_rows + static_cast<std::int32_t>(at.quotient), static_cast<std::int32_t>(at.remainder)};
  }
  /// The same of a piece that is not whole: before the beginning of a run the column is negative.
  CRINKLE_HD constexpr Spot two_rows(const Piece& p) const { return {p.row, p.column - p.skipped}; }
  /// The cell of unit k of it, given the bases of both rows. With segments of one step the next row's columns are taken off its base.
  template <bool one_step>
  CRINKLE_HD constexpr std::int32_t cell(const Few& f, const Spot& at, std::int32_t k, std::int32_t base, std::int32_t next) const {
    const auto n = static_cast<std::int32_t>(row_units.value());
    const std::int32_t c = at.column + k;
    const bool is_next = c >= n;
    const std::int32_t column = is_next ? c - n : c;
    const bool in_b = column >= f.b_first, in_c = column >= f.c_first;
    const std::int32_t origin = in_c ? f.c_origin : in_b ? f.b_origin : f.a_origin;
    if (one_step) return (is_next ? next - n * f.a_step : base) + origin + c * f.a_step;
    return (is_next ? next : base) + origin + column * (in_c ? f.c_step : in_b ? f.b_step : f.a_step);
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
