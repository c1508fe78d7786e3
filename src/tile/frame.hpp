// A frame says where a tile lies. A tile cuts at most two axes of its box, the slowest of its source group (cut 0) and the slowest of its
// destination group (cut 1); every other axis is either whole inside the tile or a digit of the block index. One block's origin is
//     src = src_offset + Σ digit_a(block) · src_a,   dst likewise,
// and the last tile of a cut axis is shorter: that length is all that an edge tile knows about being one.
// A leaning tile owns, of a destination row that starts s units past the boundary of a sector or a vector, the s units before its window
// instead of the last s inside: it writes whole sectors or vectors only, and reads `reach` more source rows for that.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

inline constexpr int max_grid_digits = 48;
inline constexpr int unrolled_digits = 5;    // whose fields a kernel finds at fixed places of its parameters
inline constexpr int max_group_digits = 14;  // axes of extent 2 in a run of 16 KiB of single bytes
inline constexpr int no_cut = 2;             // the index of the length that is always 1

/// An index adds up to this on one side and in shared memory.
struct Place {
  std::int64_t address = 0;  // bytes
  std::int32_t slot = 0;
  std::int32_t cell = 0;  // bytes of shared memory

  CRINKLE_HD constexpr void add(std::int32_t times, const Place& step) {
    address += times * step.address;
    slot += times * step.slot;
    cell += times * step.cell;
  }
};

/// Places of rows of so many digits are computed where they are needed; of more they are looked up.
inline constexpr std::int32_t most_computed_digits = 1;
/// Tables of places that are larger than this are not made: every place is computed when it is needed.
inline constexpr std::int32_t most_table_bytes = 32 << 10;
CRINKLE_HD constexpr std::int32_t table_bytes_of(std::int32_t n_places) {
  const auto n = static_cast<std::int32_t>(sizeof(Place)) * n_places;
  return n <= most_table_bytes ? n : 0;
}

/// One axis of a mixed-radix index inside a tile.
struct Digit {
  Divisor<std::uint32_t> extent;
  Place step;
};

/// A mixed-radix index inside a tile, fastest digit first: at(i) = Σ ((i / Π faster extents) mod extent_a) · step_a. The slowest digit
/// takes whatever is left, so one digit is a product and needs no division.
struct Digits {
  std::int32_t count = 0;
  Array<Digit, max_group_digits> digit = {};

  CRINKLE_HD constexpr Place at(std::uint32_t index) const {
    Place place;
    for (int a = 0; a < count; ++a) {
      std::uint32_t i = index;
      if (a + 1 < count) {
        const Division<std::uint32_t> split = digit[a].extent.divide(index);
        index = split.quotient;
        i = split.remainder;
      }
      place.add(static_cast<std::int32_t>(i), digit[a].step);
    }
    return place;
  }

  constexpr void append(std::int64_t extent, const Place& step) {
    digit[count++] = Digit{Divisor<std::uint32_t>(static_cast<std::uint32_t>(extent)), step};
  }
};

/// One axis of the block index. With n the product of the extents of the faster ones, digit(index) = ⌊index / n⌋ − ⌊index / through⌋ ·
/// extent: quotients that do not wait for each other.
struct GridDigit {
  Divisor<std::uint32_t> through;  // n · extent
  std::uint32_t extent = 1;
  std::int64_t src = 0;
  std::int64_t dst = 0;
  std::int32_t src_slot = 0;
  std::int32_t dst_slot = 0;
  std::int32_t cut = no_cut;  // the cut axis it counts tiles of
  std::int32_t rest = 0;      // length of the last of these tiles
};

struct Cut {
  std::int64_t extent = 1;      // of the axis
  std::int32_t tile = 1;        // of the axis inside a tile
  std::int64_t src_stride = 0;  // bytes
  std::int32_t cell = 0;        // bytes of shared memory per index where the source runs backwards through the axis, else 0
};

/// A block's origin and what is left of it: the same for all its threads.
struct Block {
  std::int64_t src = 0;    // address of the lowest source unit of the tile
  std::int64_t dst = 0;    // address of the unit with index 0 on every tile axis
  std::int64_t first = 0;  // index on cut 1 that the origin stands for
  std::int32_t src_slot = 0;
  std::int32_t dst_slot = 0;
  std::int32_t low = 0;          // −reach … 0: where the rows that are read begin on cut 1
  std::int32_t cell = 0;         // bytes to add to every cell of the write side
  std::int32_t read_pieces = 0;  // limits of what this block reads and writes
  std::int32_t read_rows = 0;
  std::int32_t write_units = 0;
  std::int32_t write_rows = 0;
  bool reads_inner = false;  // what is read is neither cut nor masked anywhere
  bool is_inner = false;     // nor is what is written
};

/// A block's origin in terms of the cut axes: indices left, counted from the origin.
struct Origin {
  Block block;
  Array<std::int32_t, 2> length = {};

  CRINKLE_HD constexpr std::int32_t left_of(std::int32_t c) const { return c == 0 ? length[0] : c == 1 ? length[1] : 1; }
};

struct Frame {
  std::int32_t n_grid = 0;
  Array<GridDigit, max_grid_digits> grid = {};  // fastest first
  std::uint32_t n_blocks = 1;
  std::int64_t src_offset = 0;
  std::int64_t dst_offset = 0;
  std::int32_t src_slot = 0;
  std::int32_t dst_slot = 0;
  std::int32_t unit = 1;
  std::int32_t unit_log2 = 0;
  Array<Cut, 2> cut = {};
  std::int32_t reach = 0;        // units a leaning tile reads before its origin
  std::int32_t reach_cell = 0;   // bytes of shared memory per unit of reach
  std::int32_t cell_offset = 0;  // bytes of shared memory: the cell of index 0 where whole axes run backwards

  /// Indices of a cut axis in a full tile.
  CRINKLE_HD constexpr std::int32_t left_most(std::int32_t c) const { return c == no_cut ? 1 : cut[c].tile; }

  CRINKLE_HD constexpr Origin origin(std::uint32_t index) const {
    Origin o;
    Block& b = o.block;
    b.src = src_offset;
    b.dst = dst_offset;
    b.src_slot = src_slot;
    b.dst_slot = dst_slot;
    b.cell = cell_offset;
    o.length = {cut[0].tile, cut[1].tile};
    std::uint32_t quotient = index;
    const auto add = [&](const GridDigit& digit) {
      const std::uint32_t next = digit.through.quotient(index), i = quotient - next * digit.extent;
      quotient = next;
      b.src += i * digit.src;
      b.dst += i * digit.dst;
      b.src_slot += static_cast<std::int32_t>(i) * digit.src_slot;
      b.dst_slot += static_cast<std::int32_t>(i) * digit.dst_slot;
      if (digit.cut == 1) b.first = std::int64_t{i} * cut[1].tile;
      const bool is_last = i + 1 == digit.extent;
      if (is_last && digit.cut == 0) o.length[0] = digit.rest;
      if (is_last && digit.cut == 1) o.length[1] = digit.rest;
    };
    CRINKLE_UNROLL
    for (int a = 0; a < unrolled_digits; ++a)
      if (a < n_grid) add(grid[a]);
    for (int a = unrolled_digits; a < n_grid; ++a) add(grid[a]);
    if (reach != 0) {  // the last but one may be short, too
      const std::int64_t left = cut[1].extent - b.first;
      o.length[1] = left < cut[1].tile ? static_cast<std::int32_t>(left) : cut[1].tile;
    }
    begin_at_last(b, cut[0], o.length[0]);
    begin_at_last(b, cut[1], o.length[1]);
    if (reach != 0) {
      b.low = b.first < reach ? -static_cast<std::int32_t>(b.first) : -reach;
      b.src += b.low * cut[1].src_stride;
      b.cell -= b.low * reach_cell;
    }
    return o;
  }

 private:
  /// A cut axis that the source runs through backwards is read from the last index that is left.
  CRINKLE_HD static constexpr void begin_at_last(Block& b, const Cut& c, std::int32_t length) {
    if (c.cell == 0 || length <= 0) return;
    b.src += (length - 1) * c.src_stride;
    b.cell += (length - 1) * c.cell;
  }
};

/// Facts that a kernel knows about a tile when it is compiled, as bits; it asks for others at run time, so 0 suits every tile. (Bits
/// because nvcc 13.0 takes no class as a template argument of a kernel.)
using Known = std::uint32_t;
inline constexpr Known even_rows = 1;     // rows of either side are one product apart: no table
inline constexpr Known one_run = 2;       // a step never moves along the run
inline constexpr Known contiguous = 4;    // runs are, on both sides
inline constexpr Known fixed = 1024;      // a step along a destination run moves all cells alike
inline constexpr Known looked_up = 2048;  // the cells along a destination run are in a table
inline constexpr Known aligned = 8;       // destination pieces are whole
inline constexpr Known straight = 16;     // shared memory is not swizzled
inline constexpr Known exact = 32;        // source pieces lie at multiples of their size from the beginning of a row
inline constexpr Known inner = 128;       // the block is an inner one: every piece of it is whole
inline constexpr Known superset = 64;     // source pieces are aligned vectors that cover a row of any phase
inline constexpr Known one_slot = 256;    // one source and one destination buffer
inline constexpr Known wide = 512;        // source pieces are of 16 bytes, and destination pieces where runs are contiguous
inline constexpr int unit_at = 12;        // the bits from here on: 1 + log2 of the unit
CRINKLE_HD constexpr Known of_unit(int unit) {
  Known k = 1;
  for (; unit > 1; unit /= 2) ++k;
  return k << unit_at;
}

/// How one side of a tile is walked: `n_rows` times a run of `n_pieces` accesses. Threads lie side by side on `lanes_run` pieces of
/// `lanes_rows` rows and step along the run first, then down the rows, so a thread decodes its place once and then adds. Both
/// directions end early where the axis that is slowest in them is cut.
struct Walk {
  std::int32_t n_pieces = 1;
  std::int32_t n_rows = 1;
  std::int32_t run_units = 1;  // units of a run per index of its slowest axis
  std::int32_t run_cut = no_cut;
  std::int32_t rows_each = 1;  // rows per index of their slowest axis
  std::int32_t rows_cut = no_cut;
  Digits rows;
  Divisor<std::uint32_t> lanes_run;
  std::int32_t lanes_rows = 1;
  Divisor<std::uint32_t> steps_run;
  std::int32_t steps_down = 1;
  std::int32_t n_steps = 1;

  /// A thread's first piece and row; a thread without work stands past the last row.
  struct Lane {
    std::int32_t piece = 0;
    std::int32_t row = 0;
    Place place;  // of its row, where rows are evenly spaced
  };
  /// How often a thread has moved along the run and down the rows.
  struct Step {
    std::int32_t along = 0;
    std::int32_t down = 0;
  };

  CRINKLE_HD constexpr std::int32_t run_limit(const Origin& o) const { return run_units * o.left_of(run_cut); }
  CRINKLE_HD constexpr std::int32_t rows_limit(const Origin& o) const {
    return rows_each * (o.left_of(rows_cut) - (rows_cut == 1 ? o.block.low : 0));
  }

  /// Rows of many digits are looked up: row(r) for r in [0, n_table()), prepared once per block. One digit is a product.
  CRINKLE_HD constexpr std::int32_t n_table() const { return rows.count > most_computed_digits ? n_rows : 0; }
  CRINKLE_HD constexpr Place row_at(std::int32_t r, const Place* table) const {
    return rows.count > most_computed_digits && table != nullptr ? table[r] : rows.at(static_cast<std::uint32_t>(r));
  }

  CRINKLE_HD constexpr Lane lane(std::int32_t thread) const {
    const Division<std::uint32_t> split = lanes_run.divide(static_cast<std::uint32_t>(thread));
    Lane l;
    l.piece = static_cast<std::int32_t>(split.remainder);
    l.row = static_cast<std::int32_t>(split.quotient) < lanes_rows ? static_cast<std::int32_t>(split.quotient) : n_rows;
    l.place.add(l.row, rows.digit[0].step);
    return l;
  }
  /// The step that advance() adds to the place of evenly spaced rows.
  CRINKLE_HD constexpr Place row_step() const {
    Place step;
    step.add(lanes_rows, rows.digit[0].step);
    return step;
  }
  /// To its next row, `lanes_rows` further down: from there on step 0 down is what the next one was.
  CRINKLE_HD constexpr void advance(Lane& lane, const Place& row_step) const {
    lane.row += lanes_rows;
    lane.place.add(1, row_step);
  }
  template <Known known = 0>
  CRINKLE_HD constexpr Step step(std::int32_t index) const {
    if ((known & one_run) != 0 || steps_run.value() == 1) return {0, index};
    const Division<std::uint32_t> split = steps_run.divide(static_cast<std::uint32_t>(index));
    return {static_cast<std::int32_t>(split.remainder), static_cast<std::int32_t>(split.quotient)};
  }
  CRINKLE_HD constexpr std::int32_t steps_along() const { return static_cast<std::int32_t>(steps_run.value()); }
  /// The place of row lane.row + down · lanes_rows, one that exists.
  template <Known known = 0>
  CRINKLE_HD constexpr Place row(const Lane& lane, std::int32_t down, const Place* table) const {
    if ((known & even_rows) == 0 && rows.count > 1) return row_at(lane.row + down * lanes_rows, table);
    Place place = lane.place;
    place.add(down * lanes_rows, rows.digit[0].step);
    return place;
  }

  /// So many lanes along the run, rows beside each other as far as the threads reach.
  constexpr void arrange(std::int32_t threads, std::int32_t run) {
    lanes_run = Divisor<std::uint32_t>(static_cast<std::uint32_t>(run));
    lanes_rows = threads / run < n_rows ? threads / run : n_rows;
    const std::int32_t along = (n_pieces + run - 1) / run;
    steps_run = Divisor<std::uint32_t>(static_cast<std::uint32_t>(along));
    steps_down = (n_rows + lanes_rows - 1) / lanes_rows;
    n_steps = along * steps_down;
  }

  /// Chooses lanes and steps for so many threads, so that the fewest stand idle; a step along the run is a multiple of `grain` pieces
  /// if any grain fits.
  constexpr void share_among(std::int32_t threads, std::int32_t grain) {
    Walk best = *this;
    best.n_steps = 0;
    const std::int32_t least = (n_pieces + threads - 1) / threads;
    for (std::int32_t parts = least; parts < least + 4; ++parts) {
      std::int32_t run = (n_pieces + parts - 1) / parts;
      if (parts > 1) run = (run + grain - 1) / grain * grain;
      if (run > threads) run = threads / grain * grain;
      if (run == 0) break;
      arrange(threads, run);
      if (best.n_steps == 0 || n_steps < best.n_steps) best = *this;
    }
    if (best.n_steps == 0 && grain > 1) return share_among(threads, 1);
    *this = best;
  }
};

/// One access of one thread to global memory: `mask` has a bit per unit, lowest address first; none set, no access.
struct Access {
  std::int64_t address = 0;  // bytes from the start of the slot's buffer
  std::int32_t slot = 0;
  std::uint32_t mask = 0;
};

}  // namespace crinkle::tile
