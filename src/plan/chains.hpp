// Finding the axes that follow each other on a side, for schedules and exchanges.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

#include "crinkle/axis.hpp"

namespace crinkle::planning {

inline constexpr std::int64_t most_item = 32;  // bytes that a swap reverses

inline bool is_src_bytes(const Axis& a) { return a.src_counts == Counts::bytes; }
inline bool is_dst_bytes(const Axis& a) { return a.dst_counts == Counts::bytes; }

template <class Wanted>
int find_axis(const AxisList& axes, const Wanted& wanted) {
  for (int a = static_cast<int>(axes.size()) - 1; a >= 0; --a)
    if (wanted(axes[static_cast<std::size_t>(a)])) return a;
  return -1;
}

/// The fastest axis that steps by `stride` in the destination (source), or -1. A source may run backwards.
inline int find_destination(const AxisList& axes, std::int64_t stride) {
  return find_axis(axes, [stride](const Axis& a) { return is_dst_bytes(a) && a.dst_stride == stride; });
}
inline int find_source(const AxisList& axes, std::int64_t stride) {
  return find_axis(axes, [stride](const Axis& a) { return is_src_bytes(a) && std::abs(a.src_stride) == stride; });
}

inline Axis take(AxisList& axes, int a) {
  const Axis axis = axes[static_cast<std::size_t>(a)];
  axes.erase(axes.begin() + a);
  return axis;
}

}  // namespace crinkle::planning
