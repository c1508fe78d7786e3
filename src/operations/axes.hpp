// Helpers of the makers: axis numbers with negatives, and the "@k" names under which the verbs find an unnamed axis.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "crinkle/error.hpp"
#include "crinkle/layout.hpp"

namespace crinkle {

/// The axis number in [0, rank). Throws bad_shape naming both.
inline std::int64_t checked_axis(const Layout& layout, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(layout.extents.size());
  if (axis < -rank || axis >= rank) {
    throw Error(ErrorCode::bad_shape, "there is no axis " + std::to_string(axis) + " in an array of rank " + std::to_string(rank));
  }
  return axis < 0 ? axis + rank : axis;
}

inline std::string axis_name(std::int64_t axis) { return "@" + std::to_string(axis); }

/// Throws bad_shape unless `n` values were given for the layout's axes.
inline void check_one_per_axis(const Layout& layout, std::size_t n, const char* what) {
  if (n != layout.extents.size()) {
    throw Error(ErrorCode::bad_shape, std::to_string(n) + " " + what + " for an array of rank " + std::to_string(layout.extents.size()) + ": give one per axis");
  }
}

}  // namespace crinkle
