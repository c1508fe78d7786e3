// Groups of axes: see groups.hpp and the notes in shape.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "tile/groups.hpp"

#include <algorithm>

namespace crinkle::tile {
namespace {

template <class Stride>
std::int64_t alignment_of(const Box& box, const Group& run, const Inside& inside, std::int64_t offset, std::int64_t at_most,
                          Stride stride) {
  std::int64_t alignment = common_alignment(at_most, offset);
  std::int64_t units = 1;
  for (std::int32_t i = 0; i < run.count; ++i) {
    const Axis& axis = axis_of(box, run.axis[i]);
    if (i + 1 == run.count) {
      alignment = common_alignment(alignment, units * box.unit * inside.tile[run.axis[i]]);
      alignment = common_alignment(alignment, units * box.unit * axis.extent);
      alignment = common_alignment(alignment, stride(axis) * inside.tile[run.axis[i]]);
    }
    units *= axis.extent;
  }
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(box.axes.size()); ++a)
    if (!run.holds(a)) alignment = common_alignment(alignment, stride(axis_of(box, a)));
  return alignment;
}

template <class Stride>
bool is_contiguous(const Box& box, const Group& group, Stride stride) {
  std::int64_t run = box.unit;
  for (std::int32_t i = 0; i < group.count; ++i) {
    const Axis& axis = axis_of(box, group.axis[i]);
    if (length_of(stride(axis)) != run) return false;
    run *= axis.extent;
  }
  return true;
}

}  // namespace

Place source_step(const Axis& axis) {
  return axis.src_counts == Counts::bytes ? Place{axis.src_stride, 0, 0} : Place{0, static_cast<std::int32_t>(axis.src_stride), 0};
}

Place destination_step(const Axis& axis) {
  return axis.dst_counts == Counts::bytes ? Place{axis.dst_stride, 0, 0} : Place{0, static_cast<std::int32_t>(axis.dst_stride), 0};
}

Inside inside_of(const Box& box, const Shape& shape) {
  Inside inside;
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(box.axes.size()); ++a) {
    inside.tile[a] = 1;
    inside.cut[a] = no_cut;
  }
  const auto place = [&](const Group& group, std::int32_t cut) {
    for (std::int32_t i = 0; i < group.count; ++i) {
      const std::int32_t a = group.axis[i];
      const std::int64_t extent = axis_of(box, a).extent;
      const bool is_last = i + 1 == group.count;
      inside.tile[a] = std::min(extent, std::max(inside.tile[a], is_last ? group.tile : extent));
      if (is_last && inside.cut[a] == no_cut) inside.cut[a] = cut;
    }
  };
  place(shape.source, 0);
  place(shape.destination, 1);
  return inside;
}

Run run_of(const Group& group, const Inside& inside) {
  Run run;
  for (std::int32_t i = 0; i < group.count; ++i) {
    run.each = run.units;
    run.units *= inside.tile[group.axis[i]];
  }
  return run;
}

Box turned_forwards(const Box& box, const Group& group) {
  Box turned = box;
  for (std::int32_t i = 0; i < group.count; ++i) {
    Axis& axis = turned.axes[static_cast<std::size_t>(group.axis[i])];
    if (src_bytes(axis) >= 0) continue;
    turned.src_offset += (axis.extent - 1) * axis.src_stride;
    turned.dst_offset += (axis.extent - 1) * dst_bytes(axis);
    axis.src_stride = -axis.src_stride;
    if (axis.dst_counts == Counts::bytes) axis.dst_stride = -axis.dst_stride;
  }
  return turned;
}

std::int64_t source_alignment(const Box& box, const Group& run, const Inside& inside, std::int64_t at_most) {
  return alignment_of(box, run, inside, box.src_offset, at_most, src_bytes);
}

std::int64_t destination_alignment(const Box& box, const Group& run, const Inside& inside, std::int64_t at_most) {
  return alignment_of(box, run, inside, box.dst_offset, at_most, dst_bytes);
}

bool is_contiguous_source(const Box& box, const Group& group) { return is_contiguous(box, group, src_bytes); }
bool is_contiguous_destination(const Box& box, const Group& group) { return is_contiguous(box, group, dst_bytes); }

}  // namespace crinkle::tile
