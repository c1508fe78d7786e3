// Rows as their places at work see them, and how much of them is done at once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "base/checked.hpp"
#include "cpu/kernels.hpp"
#include "move/cpu/parts.hpp"

namespace crinkle {

constexpr std::int64_t turn_bytes = 512;      // done at a place before its next turn
constexpr std::int64_t lone_turn = 16 << 10;  // where there is one place only
constexpr std::int64_t short_turn = 1536;     // bytes of them, at most what the writer has room for
// Rows that stay in the caches are done some at a time even where they are longer.
constexpr std::int64_t most_cached_row = 8192;
// Runs of rows that are sent for as a whole, and how much of longer ones.
constexpr std::int64_t most_fetched = 32 << 10, first_fetched = 4 << 10;
constexpr std::int64_t direct_bytes = 256;    // a run from here on is not put into the buffer
constexpr std::int64_t row_piece = 64 << 10;  // bytes of a long row that are a piece of their own

inline std::int64_t row_turn(std::int64_t n_places) { return n_places == 1 ? lone_turn : turn_bytes; }

struct RowForm {
  const tile::Rows* rows;
  AxisList outer;                                       // fastest first
  std::int64_t unit, row_bytes, piece_bytes, n_pieces;  // of a row
  std::size_t index;                                    // of the unit, in the tables of kernels
  bool has_steps;                                       // a segment that is neither a run nor a fill
  bool is_long;                                         // of runs and fills, and too long to go with others
  std::int64_t pitch;                                   // bytes from a row to the next along the fastest outer axis, 0 between buffers
  bool is_dense;                                        // each row begins where the one before it ends, along the fastest outer axis
};

inline RowForm row_form_of(const planning::Schedule& schedule) {
  RowForm f;
  f.rows = &schedule.rows;
  f.outer = outer_of(schedule);
  f.unit = schedule.rows.box.unit;
  f.index = simd::unit_index(f.unit);
  f.row_bytes = schedule.rows.box.axes.empty() ? f.unit : schedule.rows.box.axes.back().extent * f.unit;
  f.n_pieces = ceil_divide(f.row_bytes, row_piece / f.unit * f.unit);
  f.piece_bytes = f.n_pieces == 1 ? f.row_bytes : row_piece / f.unit * f.unit;
  f.has_steps = std::any_of(schedule.rows.segments.begin(), schedule.rows.segments.end(),
                            [&](const tile::Segment& s) { return !s.is_fill && s.src_step != f.unit; });
  f.is_long = f.row_bytes > most_short_row && !f.has_steps && schedule.swapped == 0;
  f.pitch = !f.outer.empty() && f.outer[0].dst_counts == Counts::bytes ? f.outer[0].dst_stride : 0;
  f.is_dense = f.pitch == f.row_bytes;
  return f;
}

}  // namespace crinkle
