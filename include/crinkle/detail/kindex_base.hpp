// The two forms of a k-index share this: how a walk along an axis ends at a boundary, and KIndexBase, which builds neighbours on
// any form's index(), unit() and periodic_neighbour(). Axis 0 is the fastest.
// Source: Hawick and Playne, sections 6.1 and 8.3 (see kindex.hpp, the header to include).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/axis_crinkle.hpp"
#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/placement.hpp"

namespace crinkle {

/// What lies beyond the ends of an axis, shown for the cells a b c d: periodic …c d|a b c d|a b…, clamped …a a|a b c d|d d…,
/// reflecting …c b|a b c d|c b…, symmetric …b a|a b c d|d c…, open: nothing (`outside`). Extent 1 reflects as it clamps.
enum class Boundary : std::uint8_t { periodic, clamped, reflecting, symmetric, open };

/// A boundary for every axis; one Boundary stands for the same on all.
template <int N>
struct Boundaries {
  Array<Boundary, N> of_axis;
  CRINKLE_HD constexpr Boundaries(Boundary every) : of_axis(filled<N>(every)) {}
  CRINKLE_HD constexpr Boundaries(const Array<Boundary, N>& each) : of_axis(each) {}
};

/// A set of axes, as the paper's f = {1, 0, 1}.
template <int N>
using Axes = Array<bool, N>;

namespace detail {

/// The cell on which the f-th step beyond the last cell of an axis lands, f counted from 0.
CRINKLE_HD constexpr std::uint64_t land(std::uint64_t f, std::uint64_t extent, Boundary boundary) {
  const std::uint64_t last = extent - 1;
  if (boundary == Boundary::clamped || last == 0) return last;
  if (boundary == Boundary::reflecting) ++f;
  const std::uint64_t lap = boundary == Boundary::reflecting ? last : extent;
  const std::uint64_t laps = f < lap ? 0 : f / lap;  // divides only where a walk is longer than the axis
  const std::uint64_t rest = f - laps * lap;
  return boundary == Boundary::periodic || laps % 2 == 1 ? rest : last - rest;
}

/// The index `distance` away from i on an axis, or ~K(0) beyond an open end. A walk back is a walk forward in the mirror.
template <class K>
CRINKLE_HD constexpr K walk(K i, K extent, std::int64_t distance, Boundary boundary) {
  const bool back = distance < 0;
  const K last = extent - 1;
  const K from = back ? static_cast<K>(last - i) : i;
  const std::uint64_t steps = back ? 0 - static_cast<std::uint64_t>(distance) : static_cast<std::uint64_t>(distance);
  const std::uint64_t room = static_cast<std::uint64_t>(last) - from;
  if (steps > room && boundary == Boundary::open) return static_cast<K>(~K(0));
  const K to = steps <= room ? static_cast<K>(from + static_cast<K>(steps)) : static_cast<K>(land(steps - room - 1, extent, boundary));
  return back ? static_cast<K>(last - to) : to;
}

/// The base of both forms: it holds the extents and computes the rest from index(), unit() and periodic_neighbour().
template <class Form, int N, class K>
class KIndexBase {
  static_assert(Same<K, std::uint32_t>::value || Same<K, std::uint64_t>::value, "K is std::uint32_t or std::uint64_t");

 public:
  using Integer = K;
  using Indices = Array<K, N>;
  using Extents = Array<std::uint64_t, N>;  // wider than a 32-bit K, so that what is too large is seen and refused
  using Distances = Array<std::int64_t, N>;
  using EachBoundary = Boundaries<N>;
  static constexpr int rank = N;
  static constexpr K outside = static_cast<K>(~K(0));  // no cell: what lies beyond an open boundary
  static constexpr K max_total = sizeof(K) == 4 ? static_cast<K>(~K(0)) : static_cast<K>(K(1) << (8 * sizeof(K) - 1));  // 2^32 − 1 or 2^63

  CRINKLE_HD constexpr bool is_valid() const { return is_valid_; }
  CRINKLE_HD constexpr K total() const { return total_; }
  CRINKLE_HD constexpr K extent(int axis) const { return extents_[axis]; }
  CRINKLE_HD constexpr Extents extents() const {
    Extents result{};
    for (int axis = 0; axis < N; ++axis) result[axis] = extents_[axis];
    return result;
  }

  /// The cell `distance` away from k on one axis, or `outside`. Any distance; Requires: k < total().
  CRINKLE_HD constexpr K neighbour(K k, int axis, std::int64_t distance, Boundary boundary = Boundary::periodic) const {
    if (boundary == Boundary::periodic) return form().periodic_neighbour(k, axis, distance);
    const K i = form().index(k, axis);
    const K to = walk<K>(i, extents_[axis], distance, boundary);
    return to == outside ? outside : static_cast<K>(k + (to - i) * form().unit(axis));
  }

  /// The cell away from k by a distance on every axis, or `outside` if any axis leaves an open boundary.
  CRINKLE_HD constexpr K neighbour(K k, const Distances& distances, const EachBoundary& boundaries = Boundary::periodic) const {
    for (int axis = 0; axis < N && k != outside; ++axis)
      if (distances[axis] != 0) k = neighbour(k, axis, distances[axis], boundaries.of_axis[axis]);
    return k;
  }

 protected:
  constexpr KIndexBase() = default;
  CRINKLE_HD constexpr KIndexBase(const Extents& extents, bool is_valid) : is_valid_(is_valid) {
    if (!is_valid) return;
    total_ = 1;
    for (int axis = 0; axis < N; ++axis) total_ *= extents_[axis] = static_cast<K>(extents[axis]);
  }

  /// Zero extents count as 1 here, so that every unit is representable too.
  CRINKLE_HD static constexpr bool product_fits(const Extents& extents) {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : extents) {
      if (extent > max_total / product) return false;
      product *= extent == 0 ? 1 : extent;
    }
    return true;
  }

  /// Every step from the extent on makes the same map: each index is a phase of its own.
  CRINKLE_HD constexpr K step_within(int axis, std::uint64_t step) const {
    if (step == 0 || extents_[axis] == 0) return 1;
    return step < extents_[axis] ? static_cast<K>(step) : extents_[axis];
  }

  CRINKLE_HD constexpr AxisCrinkle<K> axis_crinkle(int axis, K unit, K step, Placement placement) const {
    return {unit, extents_[axis], placement == Placement::global ? total_ : static_cast<K>(unit * extents_[axis]), total_, step};
  }

 private:
  CRINKLE_HD constexpr const Form& form() const { return static_cast<const Form&>(*this); }

  Indices extents_ = {};
  K total_ = 0;
  bool is_valid_ = false;
};

}  // namespace detail

}  // namespace crinkle
