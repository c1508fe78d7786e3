// A bound says what lies beyond the ends of an axis, by NumPy's names. An index outside [0, n) stands for one inside, or for a constant:
//     periodic   i mod n
//     edge       the nearest index
//     reflect    −i and 2(n − 1) − i, again until inside: the end itself is not repeated
//     symmetric  −1 − i and 2n − 1 − i, again until inside: the end is repeated
//     constant   a value
//     function   what the stencil's own function `beyond` says (crinkle/stencil.hpp), of stencils of the user's own alone
// So every kind serves every n ≥ 1, however far outside the index is. SciPy's ndimage says mirror for reflect and reflect for symmetric.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle {

enum class Bound : std::uint8_t { periodic, edge, reflect, symmetric, constant, function };

/// Both ends of an axis. Periodic joins them, so it is on both or on neither.
struct Face {
  Bound bound = Bound::reflect;
  double value = 0;  // of constant

  CRINKLE_HD friend constexpr bool operator==(const Face& a, const Face& b) { return a.bound == b.bound && a.value == b.value; }
};
struct Faces {
  Face low, high;

  constexpr Faces() = default;
  CRINKLE_HD constexpr Faces(Bound both, double value = 0) : low{both, value}, high{both, value} {}  // NOLINT: it is one
  CRINKLE_HD constexpr Faces(Face l, Face h) : low(l), high(h) {}
  CRINKLE_HD friend constexpr bool operator==(const Faces& a, const Faces& b) { return a.low == b.low && a.high == b.high; }
};

namespace detail {

inline constexpr std::int64_t at_low_face = -1, at_high_face = -2;  // what bounded() says of an index that stands for no other

/// The index in [0, n) that i stands for, or at_low_face or at_high_face where it stands for none. Requires n ≥ 1. O(1), however
/// far outside i is.
CRINKLE_HD constexpr std::int64_t bounded(Bound low, Bound high, std::int64_t i, std::int64_t n) {
  const auto is_mirror = [](Bound b) { return b == Bound::reflect || b == Bound::symmetric; };
  if ((i < -n || i >= 2 * n) && is_mirror(low) && is_mirror(high)) {  // both mirrors one after the other are a shift
    const std::int64_t shift = 2 * (n - 1) + (low == Bound::symmetric ? 1 : 0) + (high == Bound::symmetric ? 1 : 0);
    if (shift == 0) return 0;
    i %= shift;
  }
  while (i < 0 || i >= n) {
    const bool is_low = i < 0;
    switch (is_low ? low : high) {
      case Bound::periodic:
        if (i < -n || i >= 2 * n) i %= n;  // a division takes longer than all else here
        return i < 0 ? i + n : i >= n ? i - n : i;
      case Bound::edge: return is_low ? 0 : n - 1;
      case Bound::reflect:
        if (n == 1) return 0;
        i = is_low ? -i : 2 * (n - 1) - i;
        break;
      case Bound::symmetric: i = is_low ? -1 - i : 2 * n - 1 - i; break;
      case Bound::constant:
      case Bound::function: return is_low ? at_low_face : at_high_face;
    }
  }
  return i;
}

}  // namespace detail
}  // namespace crinkle
