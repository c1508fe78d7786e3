// Rows of segments: boxes that differ only along the destination-fast axis, put side by side, so that every destination line is
// written whole and once. Unit u of a row with first_s ≤ u < first_{s+1} comes from
//     src[row origin + offset_s + (u − first_s) · step_s]   of slot_s, or is a pattern.
// A rolled row has two segments, a padded one up to three, a plain box one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "crinkle/axis.hpp"
#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

inline constexpr int max_segments = 8;

struct Segment {
  std::int64_t first = 0;       // unit of the row where it begins
  std::int64_t src_offset = 0;  // bytes from the row's source origin
  std::int64_t src_step = 0;    // bytes per unit
  std::int32_t src_slot = 0;    // added to the row's slot
  bool is_fill = false;
  alignas(8) Array<std::uint8_t, 16> pattern = {};  // of a fill: one unit

  CRINKLE_HD friend constexpr bool operator==(const Segment& a, const Segment& b) {
    return a.first == b.first && a.src_offset == b.src_offset && a.src_step == b.src_step && a.src_slot == b.src_slot &&
           a.is_fill == b.is_fill && a.pattern == b.pattern;
  }
};

/// A box whose last axis is the row; that axis' source stride and the box's fill are unused, the segments say it.
struct Rows {
  Box box;
  detail::SmallVector<Segment, 4> segments;

  friend bool operator==(const Rows&, const Rows&) = default;
};

/// One box as rows of one segment: its last axis, or single units where that one counts buffers.
inline Rows rows_of(const Box& box) {
  Rows rows{box, {}};
  auto& axes = rows.box.axes;
  if (!axes.empty() && axes.back().dst_counts == Counts::buffers) std::rotate(axes.begin(), axes.end() - 1, axes.end());
  if (axes.empty() || axes.back().dst_counts == Counts::buffers || axes.back().src_counts == Counts::buffers)
    axes.push_back(Axis{1, 0, box.unit});
  Segment segment;
  segment.src_step = rows.box.axes.back().src_stride;
  segment.is_fill = box.is_fill;
  for (int b = 0; b < 16; ++b) segment.pattern[b] = static_cast<std::uint8_t>(box.pattern[static_cast<std::size_t>(b)]);
  rows.segments.push_back(segment);
  return rows;
}

}  // namespace crinkle::tile
