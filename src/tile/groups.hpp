// Questions about the two groups of a shape that the builders share: what lies inside a tile, how long its runs are, whether they are
// contiguous, what every address on a side is a multiple of.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/build_frame.hpp"
#include "tile/shape.hpp"

namespace crinkle::tile {

inline const Axis& axis_of(const Box& box, std::int32_t a) { return box.axes[static_cast<std::size_t>(a)]; }
inline std::int64_t src_bytes(const Axis& axis) { return axis.src_counts == Counts::bytes ? axis.src_stride : 0; }
inline std::int64_t dst_bytes(const Axis& axis) { return axis.dst_counts == Counts::bytes ? axis.dst_stride : 0; }
constexpr std::int64_t length_of(std::int64_t stride) { return stride < 0 ? -stride : stride; }

/// One index of an axis as a step on the source (destination) side.
Place source_step(const Axis& axis);
Place destination_step(const Axis& axis);

Inside inside_of(const Box& box, const Shape& shape);

/// Units of a group's run, in all and per index of its last axis.
struct Run {
  std::int64_t units = 1;
  std::int64_t each = 1;
};
Run run_of(const Group& group, const Inside& inside);

/// The box with the axes of `group` that run backwards through the source turned round on both sides.
Box turned_forwards(const Box& box, const Group& group);

/// The largest power of two up to `at_most` that divides every source (destination) address of a run's beginning and end.
std::int64_t source_alignment(const Box& box, const Group& run, const Inside& inside, std::int64_t at_most);
std::int64_t destination_alignment(const Box& box, const Group& run, const Inside& inside, std::int64_t at_most);

}  // namespace crinkle::tile
