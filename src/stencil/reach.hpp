// Which cells are read beside those that are made, and which of the array's stand for those beyond its faces.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "stencil/plan.hpp"

namespace crinkle {

/// Whether no face of the axis counts: cells beyond it are computed like any others.
inline bool is_open(const SweepAxis& axis) { return axis.stencil_axis < 0 || axis.faces.low.bound == Bound::periodic; }

/// The cells of an axis that reading [low, high) takes. Those of an open axis are all that are read, also beyond its ends.
inline void bring_inside(const SweepAxis& axis, std::int64_t& low, std::int64_t& high) {
  if (is_open(axis)) return;
  const std::int64_t n = axis.extent, first = low, last = high;
  low = std::clamp<std::int64_t>(first, 0, n);
  high = std::clamp<std::int64_t>(last, low, n);
  const auto take = [&](std::int64_t i) {
    const std::int64_t at = detail::bounded(axis.faces.low.bound, axis.faces.high.bound, i, n);
    if (at < 0) return;
    const bool is_empty = low == high;
    low = is_empty ? at : std::min(low, at);
    high = is_empty ? at + 1 : std::max(high, at + 1);
  };
  // Of the cells beyond a face the nearest 2 n stand for all that the others do.
  const std::int64_t below = std::min<std::int64_t>(last, 0), above = std::max(first, n);
  for (std::int64_t i = std::max(first, below - 2 * n); i < below; ++i) take(i);
  for (std::int64_t i = above; i < std::min(last, above + 2 * n); ++i) take(i);
}

}  // namespace crinkle
