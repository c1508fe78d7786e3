// Numbers that were decimal ones. 0.3 lies on an edge of cells of 0.05, but (0.3 − 0.025) / 0.05 + 0.5 is 5.999999999999999. One rule takes
// such roundings out, with the same bits on a CPU and on a GPU:
//
//     An index computed from x, the first place and the step that lies within 4 ulp of max(|x|, |first|) / step of a whole number is
//     that number.
//
// A number given as an index or a coordinate is taken as it is. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle::decimals {

CRINKLE_HD constexpr double absolute(double x) { return x < 0 ? -x : x; }
CRINKLE_HD constexpr double larger(double a, double b) { return a < b ? b : a; }

/// 4 ulp of numbers up to `size`: how far apart roundings may leave what decimals have equal.
CRINKLE_HD constexpr double rounding_of(double size) { return 0x1p-50 * size; }

/// Adding and taking away 1.5 · 2^52 rounds to whole numbers; a half of it to halves.
inline constexpr double to_whole = 0x1.8p52, to_halves = 0x1.8p51;

/// The index, or the whole number (`to`: the half) within 4 ulp of `size`, the largest of the numbers of steps that it was computed from.
/// An index whose steps are finer than that stays as it is.
CRINKLE_HD constexpr double settled(double index, double size, double to = to_whole) {
  const double nearest = (index + to) - to, rounding = rounding_of(size);
  const bool is_near = absolute(index - nearest) <= rounding, is_coarse = rounding < 0.25;
  return (is_near & is_coarse) ? nearest : index;  // && keeps loops from becoming vectors
}

/// Steps from `first` to x, and `more` of them.
CRINKLE_HD constexpr double steps_between(double first, double x, double step, double more = 0) {
  return settled((x - first) / step + more, larger(absolute(x), absolute(first)) / absolute(step));
}

}  // namespace crinkle::decimals
