// The makers share this: axis numbers with negatives, the "@k" names under which the verbs find an unnamed axis, and boxes of elements.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numeric>
#include <string>

#include "crinkle/error.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// The axis number in [0, rank). Throws bad_shape naming the axis, `what` has so many, and which there are.
inline std::int64_t checked_axis(std::int64_t rank, std::int64_t axis, const char* what = "an array") {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  const std::string range = rank == 0   ? ""
                            : rank == 1 ? "; give 0 or -1"
                                        : "; give 0 to " + std::to_string(rank - 1) + ", or -1 to -" + std::to_string(rank);
  throw Error(ErrorCode::bad_shape,
              std::string("there is no axis ") + std::to_string(axis) + " in " + what + " of rank " + std::to_string(rank) + range);
}
inline std::int64_t checked_axis(const Layout& layout, std::int64_t axis) {
  return checked_axis(static_cast<std::int64_t>(layout.extents.size()), axis);
}

inline std::string axis_name(std::int64_t axis) { return "@" + std::to_string(axis); }

/// Throws bad_shape unless `n` values were given for the layout's axes.
inline void check_one_per_axis(const Layout& layout, std::size_t n, const char* what) {
  layout.check();
  if (n != layout.extents.size()) {
    throw Error(ErrorCode::bad_shape,
                std::to_string(n) + " " + what + " for an array of rank " + std::to_string(layout.extents.size()) + ": give one per axis");
  }
}

/// The innermost axis of a box: the bytes of one element, in the widest unit that divides them.
inline void push_element(Box& box, std::int64_t element_bytes) {
  box.unit = static_cast<std::int32_t>(std::gcd(element_bytes, std::int64_t{16}));
  if (element_bytes > box.unit) box.axes.push_back({element_bytes / box.unit, box.unit, box.unit});
}

/// A flat array of n elements made by boxes from `source`.
inline Rearrangement from_boxes(const Layout& source, Boxes boxes, std::int64_t n) {
  Steps steps;
  steps.steps.push_back({std::move(boxes), {}, {}});
  return Rearrangement(source, Layout::dense({n}, source.element_bytes), std::move(steps));
}

}  // namespace crinkle
