// A move whose axes are mapped one by one: the unit with indices i_0 … i_k (the fastest first) of a part of the destination without holes
// comes from
//     src[src_offset + Σ f_a(i_a)],   f_a(i) = at_s + i · step_s bytes in segment s of the axis,
// of source number src_slot + Σ slot_s where there are several (arrays one behind the other), or is filled in, where a segment says so.
// Every pad, roll, slice, flip and repeat along any axes is one of these, whole: no box of it is left for another launch. The fastest axes
// make a run, which the destination holds without gaps and which is cut into aligned pieces of 16 bytes; a piece whose units lie in one
// segment of one row is read as one vector, or two that are shifted together. A kernel that is compiled for a plan has all these numbers as
// constants (move/cuda/mapped.cuh); one of the library has few axes and segments, and divides by products (FewMaps). Indices inside a run
// are an Index, 32 bits wide where that is enough.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

struct AxisSegment {
  std::uint64_t first = 0;  // index of the axis where it begins; it ends where the next one does
  bool is_fill = false;
  std::int64_t at = 0, step = 0;  // bytes
  std::int32_t slot = 0;          // of several sources
};

/// Where every number is a constant, a compiler makes products of divisions.
struct NoDivisor {};

template <int most_segments, bool by_products>
struct MappedAxisOf {
  static constexpr int most = most_segments;
  using Divide = std::conditional_t<by_products, Divisor<std::uint32_t>, NoDivisor>;
  std::uint64_t extent = 1;
  std::int64_t dst = 0;  // bytes per index
  std::int32_t n_segments = 1;
  Array<AxisSegment, most> segment = {};
  Divide by = {};  // the extent

  template <class Index>
  CRINKLE_HD constexpr Index quotient(Index i) const {
    if constexpr (by_products) return by.quotient(i);
    else return i / static_cast<Index>(extent);
  }
};

/// The sources of a launch.
struct Sources {
  static constexpr int most = 8;
  Array<const char*, most> at = {};
};
/// Two vectors that begin at begin … begin + reach of a source may be read.
struct Readable {
  std::int64_t begin = 0, reach = -1;  // bytes
};

template <int most_axes_, int most_segments, int most_sources_, bool by_products>
struct AxisMapsOf {
  static constexpr std::uint32_t threads = 256, each = 4;  // of a block, and pieces of a thread, `threads` apart
  static constexpr int most_axes = most_axes_, most_sources = most_sources_;
  static constexpr std::int32_t piece_bytes = 16;
  static constexpr std::uint64_t most_narrow = (std::uint64_t{1} << 31) - 64;  // units

  template <class Index>
  using Signed = std::conditional_t<sizeof(Index) == 4, std::int32_t, std::int64_t>;
  using MappedAxis = MappedAxisOf<most_segments, by_products>;

  /// Where units come from: bytes of a source, or a fill.
  struct From {
    std::int64_t src = 0;
    std::int32_t slot = 0;
    bool is_fill = false;
  };
  enum class How : std::uint8_t { nothing, units, forwards, backwards, pattern };
  template <class Index>
  struct Piece {
    How how = How::nothing;
    std::int32_t shift = 0;   // bytes of the vector to drop; if not 0, the next vector follows
    std::uint32_t run = 0;    //
    Signed<Index> first = 0;  // unit of the run in the lowest place; below 0 before the run
    std::int64_t dst = 0;     // bytes: the lowest place, a multiple of 16
    std::int64_t vector = 0;  // bytes: forwards, backwards: the aligned vector to read
    std::int32_t slot = 0;    // of the source that it is read from
  };

  std::int32_t unit = 1;  // bytes
  std::int32_t n_axes = 1;
  std::int32_t n_run = 1;  // axes of a run
  Array<MappedAxis, most_axes> axis = {};
  std::int64_t src_offset = 0, dst_offset = 0;  // bytes
  std::uint64_t run_units = 1;
  std::uint32_t run_pieces = 1, n_runs = 1;  // run_pieces · n_runs < 2^32
  Array<std::uint32_t, 4> pattern = {};      // of fills: a vector of them
  std::int32_t n_sources = 1, src_slot = 0;
  Array<Readable, most_sources> readable = {};  // [n_sources]
  typename MappedAxis::Divide by_run_pieces = {};

  CRINKLE_HD constexpr std::int32_t n_units() const { return piece_bytes / unit; }  // of a piece
  CRINKLE_HD constexpr std::uint32_t n_pieces() const { return run_pieces * n_runs; }
  /// Whether an Index of 32 bits will do.
  CRINKLE_HD constexpr bool are_narrow() const { return run_units <= most_narrow; }

  /// The segment of an index, and where it ends.
  template <class Index>
  struct Found {
    AxisSegment segment;
    Index end = 0;
  };
  template <class Index>
  CRINKLE_HD static constexpr Found<Index> find(const MappedAxis& a, Index i) {
    const auto end_of = [&a](int s) { return static_cast<Index>(s + 1 < a.n_segments ? a.segment[s + 1].first : a.extent); };
    Found<Index> found{a.segment[0], end_of(0)};
    CRINKLE_UNROLL
    for (int s = 1; s < MappedAxis::most; ++s)
      if (s < a.n_segments && i >= static_cast<Index>(a.segment[s].first)) found = {a.segment[s], end_of(s)};
    return found;
  }
  /// at + i · step. A product of 32 bits is one instruction.
  template <class Index>
  CRINKLE_HD static constexpr std::int64_t place(const AxisSegment& s, Index i) {
    return s.at + std::int64_t{static_cast<Signed<Index>>(i)} * s.step;
  }

  /// Calls visit(a, i) for axes `from` … `to` − 1 with the digits of a number, the fastest first.
  template <class Index, class Visit>
  CRINKLE_HD constexpr void digits(Index number, int from, int to, const Visit& visit) const {
    CRINKLE_UNROLL
    for (int a = 0; a < most_axes; ++a) {
      if (a < from || a >= to) continue;
      const Index rest = a + 1 < to ? axis[a].quotient(number) : 0;
      visit(a, number - rest * static_cast<Index>(axis[a].extent));
      number = rest;
    }
  }

  /// Where row `row` of a run begins: all that axes but the fastest add.
  template <class Index>
  CRINKLE_HD constexpr From row(std::uint32_t run, Index row) const {
    From from{src_offset, src_slot, false};
    const auto add = [&](int a, auto i) {
      const AxisSegment segment = find(axis[a], i).segment;
      from.src += place(segment, i);
      from.slot += segment.slot;
      from.is_fill = from.is_fill || segment.is_fill;
    };
    digits(row, 1, n_run, add);
    digits(run, n_run, n_axes, add);
    return from;
  }
  template <class Index>
  CRINKLE_HD constexpr Index row_of(Index unit_of_run) const {
    return n_run > 1 ? axis[0].quotient(unit_of_run) : 0;
  }

  /// Piece q of all runs. Requires buffers at multiples of 16 bytes.
  template <class Index>
  CRINKLE_HD constexpr Piece<Index> piece(std::uint32_t q) const {
    Piece<Index> p;
    if (q >= n_pieces()) return p;
    if (n_runs > 1) {
      if constexpr (by_products) p.run = by_run_pieces.quotient(q);
      else p.run = q / run_pieces;
    }
    std::int64_t start = dst_offset;
    digits(p.run, n_run, n_axes, [&](int a, std::uint32_t i) { start += std::int64_t{i} * axis[a].dst; });
    const auto late = static_cast<std::int32_t>(start & (piece_bytes - 1));
    p.first = static_cast<Signed<Index>>(q - p.run * run_pieces) * n_units() - late / unit;
    const auto left = static_cast<Signed<Index>>(run_units) - p.first;
    if (left <= 0) return p;
    p.dst = start + std::int64_t{p.first} * unit;
    p.how = How::units;
    if (p.first >= 0 && left >= n_units()) choose(p);
    return p;
  }

  /// Goes through the units of a run one by one.
  template <class Index>
  struct Walker {
    Index column = 0, row = 0;
    Index left = 0;             // rows that lie `step` bytes apart from here on
    std::int64_t row_step = 0;  // bytes
    From from;                  // of the row
  };
  template <class Index>
  CRINKLE_HD constexpr Walker<Index> walker(std::uint32_t run, Index unit_of_run) const {
    Walker<Index> w;
    w.row = row_of(unit_of_run);
    w.column = unit_of_run - w.row * static_cast<Index>(axis[0].extent);
    enter_row(w, run);
    return w;
  }
  template <class Index>
  CRINKLE_HD constexpr From from(const Walker<Index>& w) const {
    const AxisSegment segment = find(axis[0], w.column).segment;
    return {w.from.src + place(segment, w.column), w.from.slot + segment.slot, w.from.is_fill || segment.is_fill};
  }
  template <class Index>
  CRINKLE_HD constexpr void advance(Walker<Index>& w, std::uint32_t run) const {
    if (++w.column < static_cast<Index>(axis[0].extent) || n_run == 1) return;
    w.column = 0;
    ++w.row;
    if (--w.left == 0) return enter_row(w, run);
    w.from.src += w.row_step;
  }

 private:
  template <class Index>
  CRINKLE_HD constexpr void enter_row(Walker<Index>& w, std::uint32_t run) const {
    w.from = row(run, w.row);
    if (n_run == 1) return;
    const Index i = n_run > 2 ? w.row - axis[1].quotient(w.row) * static_cast<Index>(axis[1].extent) : w.row;
    const Found<Index> found = find(axis[1], i);
    w.left = found.end - i;
    w.row_step = found.segment.step;
  }

  /// A whole piece as vectors, where it is one.
  template <class Index>
  CRINKLE_HD constexpr void choose(Piece<Index>& p) const {
    const auto first = static_cast<Index>(p.first), r = row_of(first), column = first - r * static_cast<Index>(axis[0].extent);
    const Found<Index> found = find(axis[0], column);
    if (column + static_cast<Index>(n_units()) > found.end) return;
    const From of_row = row(p.run, r);
    if (of_row.is_fill || found.segment.is_fill) {
      p.how = How::pattern;
      return;
    }
    const bool is_backwards = found.segment.step == -unit;
    if (!is_backwards && found.segment.step != unit) return;
    const std::int64_t src = of_row.src + place(found.segment, column), low = is_backwards ? src - (piece_bytes - unit) : src;
    p.shift = static_cast<std::int32_t>(low & (piece_bytes - 1));
    p.vector = low - p.shift;
    p.slot = of_row.slot + found.segment.slot;
    Readable may = readable[0];  // looked for: by an index a kernel would keep all these numbers in memory
    CRINKLE_UNROLL
    for (int k = 1; k < most_sources; ++k)
      if (k < n_sources && k == p.slot) may = readable[k];
    // Two vectors inside, though one may do: a single comparison.
    if (may.reach < 0 || static_cast<std::uint64_t>(p.vector - may.begin) > static_cast<std::uint64_t>(may.reach)) return;
    p.how = is_backwards ? How::backwards : How::forwards;
  }
};

using AxisMaps = AxisMapsOf<8, 8, Sources::most, false>;
using MappedAxis = AxisMaps::MappedAxis;
/// What a kernel of the library takes.
using FewMaps = AxisMapsOf<4, 3, 1, true>;

}  // namespace crinkle::tile
