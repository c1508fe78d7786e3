// SPDX-License-Identifier: BSD-3-Clause
#include "plan/phases.hpp"

#include <algorithm>

namespace crinkle::planning {
namespace {

bool is_bytes(const Axis& a) { return a.src_counts == Counts::bytes && a.dst_counts == Counts::bytes; }

// The box once for every index of an axis.
void append_each(Boxes& boxes, Box box, std::size_t axis) {
  const Axis phases = box.axes[axis];
  box.axes.erase(box.axes.begin() + static_cast<std::ptrdiff_t>(axis));
  for (std::int64_t p = 0; p < phases.extent; ++p) {
    boxes.push_back(box);
    box.src_offset += phases.src_stride;
    box.dst_offset += phases.dst_stride;
  }
}

// Phases that are each a run of the destination, one behind the other.
bool has_runs(const Box& box) {
  const std::size_t n = box.axes.size();
  return n >= 2 && !box.is_fill && box.axes[n - 2].extent <= tile::max_segments && is_bytes(box.axes[n - 2]) &&
         box.axes[n - 2].dst_stride == box.axes[n - 1].extent * box.unit && box.axes[n - 1].src_stride != box.unit;
}

RowsList with_runs_side_by_side(const RowsList& list) {
  Boxes boxes;
  for (const tile::Rows& rows : list) {
    for (const Box& box : boxes_of(rows)) {
      if (has_runs(box)) {
        append_each(boxes, box, box.axes.size() - 2);
      } else {
        boxes.push_back(box);
      }
    }
  }
  RowsList stitched = stitch(boxes);
  return stitched.size() < list.size() ? stitched : list;
}

// One phase of an uncrinkle: its last axis steps over a unit of every phase.
bool is_phase(const Box& box) {
  return !box.is_fill && !box.axes.empty() && is_bytes(box.axes.back()) && box.axes.back().dst_stride > box.unit &&
         box.axes.back().dst_stride <= tile::max_segments * box.unit && box.axes.back().src_stride == box.unit;
}

RowsList with_units_side_by_side(const RowsList& list) {
  Boxes phases;
  for (const tile::Rows& rows : list) {
    for (Box& box : boxes_of(rows)) {
      if (box.axes.size() > 1 && box.axes.back().extent == 1) box.axes.pop_back();
      const std::size_t n = box.axes.size();
      const bool has_several = n >= 2 && is_bytes(box.axes[n - 1]) && box.axes[n - 1].dst_stride == box.unit;
      const std::size_t before = phases.size();
      if (has_several && box.axes[n - 1].extent <= tile::max_segments) {
        append_each(phases, box, n - 1);
      } else {
        phases.push_back(box);
      }
      if (!is_phase(phases[before])) return list;
    }
  }
  const Axis& first = phases[0].axes.back();
  if (std::ssize(phases) * phases[0].unit != first.dst_stride) return list;
  std::int64_t n_shared = first.extent;
  for (const Box& b : phases) {
    if (b.axes.back().dst_stride != first.dst_stride) return list;
    n_shared = std::min(n_shared, b.axes.back().extent);
  }
  Boxes boxes;
  for (const Box& b : phases) {
    Box shared = b, rest = b;
    shared.axes.back().extent = n_shared;
    rest.axes.back().extent -= n_shared;
    rest.src_offset += n_shared * b.axes.back().src_stride;
    rest.dst_offset += n_shared * b.axes.back().dst_stride;
    boxes.push_back(shared);
    if (rest.axes.back().extent > 1) return list;
    rest.axes.pop_back();
    if (b.axes.back().extent > n_shared) boxes.push_back(rest);
  }
  RowsList stitched = stitch(boxes);
  return stitched.size() <= 2 ? stitched : list;
}

}  // namespace

RowsList with_phases_together(const RowsList& list) {
  if (list.size() < 2) return list;
  RowsList apart = with_units_side_by_side(list);
  return apart == list ? with_runs_side_by_side(list) : apart;
}

}  // namespace crinkle::planning
