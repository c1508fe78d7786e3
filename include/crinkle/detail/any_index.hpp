// The k-index of arbitrary extents: sums of index times unit one way, division by multiplication the other. Axis 0 is the fastest.
// Source: Hawick and Playne, sections 4, 6.1 and 8, eqs. 9, 10, 17 and 24 (see kindex.hpp, the header to include).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/kindex_base.hpp"

namespace crinkle {

/// Extents of any kind, divided by multiplication. 32-bit k for up to 2^32 − 1 cells, 64-bit for up to 2^63.
template <int N, class K = std::uint64_t>
class AnyIndex : public detail::KIndexBase<AnyIndex<N, K>, N, K> {
  using Base = detail::KIndexBase<AnyIndex, N, K>;

 public:
  using typename Base::Distances;
  using typename Base::Extents;
  using typename Base::Indices;
  using Crinkle = detail::AxisCrinkle<K>;

  /// k ↦ constant + slope·k + Σ factor[a]·⌊k / U_a⌋, since i_a·U_a = U_a·⌊k / U_a⌋ − U_(a+1)·⌊k / U_(a+1)⌋: only an axis that turns
  /// where the one below does not, or stays where that one turns, has a factor.
  struct Flip {
    K constant, slope;
    Indices factor;
    int first;  // axis with a factor, N without one
  };
  /// k ↦ k + by, less drop[a] = U_(a+1) where the cells below axis a + 1 number edge[a] or more. A drop of 0: the axis stays.
  struct Shift {
    K by;
    Indices edge, drop;
    int first;  // axis that moves, N without one
  };

  /// True if k can name every cell (a zero extent counts as 1): at most 2^32 − 1 or 2^63 of them.
  CRINKLE_HD static constexpr bool fits(const Extents& extents) { return Base::product_fits(extents); }

  constexpr AnyIndex() = default;

  /// Requires: fits(extents); else the index is not is_valid() and has no cells, so that a loop over it does nothing.
  CRINKLE_HD constexpr explicit AnyIndex(const Extents& extents) : Base(extents, fits(extents)) {
    K unit = 1;
    for (int axis = 0; axis < N; ++axis) {
      by_unit_[axis] = Divisor<K>(unit);
      by_extent_[axis] = Divisor<K>(this->extent(axis));
      unit *= by_extent_[axis].value();
    }
  }

  /// The product of the extents of the axes below (eq. 17); unit(0) = 1.
  CRINKLE_HD constexpr K unit(int axis) const { return by_unit_[axis].value(); }

  CRINKLE_HD constexpr K index(K k, int axis) const {
    const K rows = axis == 0 ? k : by_unit_[axis].quotient(k);
    return axis == N - 1 ? rows : by_extent_[axis].remainder(rows);
  }

  /// k of the cell at the given indices (eq. 9). Requires: indices[axis] < extent(axis).
  CRINKLE_HD constexpr K compose(const Indices& indices) const {
    K k = 0;
    for (int axis = 0; axis < N; ++axis) k += indices[axis] * unit(axis);
    return k;
  }

  /// Eq. 10, from the fastest axis up.
  CRINKLE_HD constexpr Indices decompose(K k) const {
    Indices indices{};
    for (int axis = 0; axis + 1 < N; ++axis) {
      const Division<K> row = by_extent_[axis].divide(k);
      indices[axis] = row.remainder;
      k = row.quotient;
    }
    indices[N - 1] = k;
    return indices;
  }

  CRINKLE_HD constexpr K periodic_neighbour(K k, int axis, std::int64_t distance) const {
    const K i = index(k, axis), extent = this->extent(axis);
    const bool back = distance < 0;
    const std::uint64_t steps = back ? 0 - static_cast<std::uint64_t>(distance) : static_cast<std::uint64_t>(distance);
    if (steps > extent) return k + (detail::walk<K>(i, extent, distance, Boundary::periodic) - i) * unit(axis);
    const K near = static_cast<K>(steps), far = extent - near;  // the same cell by the other way round
    if (back) return k + (i < near ? far : static_cast<K>(0 - near)) * unit(axis);
    return k + (i < far ? near : static_cast<K>(0 - far)) * unit(axis);
  }

  CRINKLE_HD constexpr K flip(K k, int axis) const {
    const K i = index(k, axis);
    return k + (this->extent(axis) - 1 - i - i) * unit(axis);
  }
  CRINKLE_HD constexpr K flip(K k, const Flip& by) const {
    K to = by.constant + by.slope * k;
    for (int axis = 1; axis < N; ++axis)
      if (by.factor[axis] != 0) to += by.factor[axis] * by_unit_[axis].quotient(k);
    return to;
  }
  CRINKLE_HD constexpr Flip make_flip(const Axes<N>& axes) const {
    Flip flip{0, 1, {}, N};
    int lower = -1;  // the axis below that has more than one cell
    for (int axis = 0; axis < N; ++axis) {
      if (this->extent(axis) <= 1) continue;
      if (axes[axis]) flip.constant += (this->extent(axis) - 1) * unit(axis);
      if (lower < 0) {
        if (axes[axis]) flip.slope = static_cast<K>(~K(0));
      } else if (axes[axis] != axes[lower]) {
        flip.factor[axis] = axes[axis] ? static_cast<K>(0 - 2 * unit(axis)) : static_cast<K>(2 * unit(axis));
        if (flip.first == N) flip.first = axis;
      }
      lower = axis;
    }
    return flip;
  }

  CRINKLE_HD constexpr K shift(K k, const Shift& by) const {
    K to = k + by.by;
    for (int axis = 0; axis < N; ++axis)
      if (by.drop[axis] != 0 && below(k, axis) >= by.edge[axis]) to -= by.drop[axis];
    return to;
  }
  CRINKLE_HD constexpr Shift make_shift(const Distances& distances) const {
    Shift shift{0, {}, {}, N};
    for (int axis = N - 1; axis >= 0; --axis) {
      if (this->extent(axis) == 0) continue;
      const K distance = detail::walk<K>(0, this->extent(axis), distances[axis], Boundary::periodic);
      if (distance == 0) continue;
      shift.by += distance * unit(axis);
      shift.edge[axis] = (this->extent(axis) - distance) * unit(axis);
      shift.drop[axis] = this->extent(axis) * unit(axis);
      shift.first = axis;
    }
    return shift;
  }

  CRINKLE_HD constexpr K crinkle(K k, const Crinkle& by) const { return by.apply(k); }
  CRINKLE_HD constexpr K uncrinkle(K k, const Crinkle& by) const { return by.undo(k); }
  CRINKLE_HD constexpr Crinkle make_crinkle(int axis, std::uint64_t step, Placement placement = Placement::global) const {
    return this->axis_crinkle(axis, unit(axis), this->step_within(axis, step), placement);
  }

  /// The cells from k on that a map moves along a line: a loop over them divides once.
  CRINKLE_HD constexpr KIndexRun<K> run(K k, const Flip& by) const {
    return {flip(k, by), by.first == N ? this->total() - k : unit(by.first) - by_unit_[by.first].remainder(k), by.slope};
  }
  CRINKLE_HD constexpr KIndexRun<K> run(K k, const Shift& by) const {
    if (by.first == N) return {shift(k, by), this->total() - k, 1};
    const K at = below(k, by.first), edge = by.edge[by.first];
    return {shift(k, by), (at < edge ? edge : by.drop[by.first]) - at, 1};
  }
  CRINKLE_HD constexpr KIndexRun<K> run(K k, const Crinkle& by) const { return by.run(k); }

 private:
  /// k among the cells of the axes up to this one.
  CRINKLE_HD constexpr K below(K k, int axis) const { return axis == N - 1 ? k : by_unit_[axis + 1].remainder(k); }

  Array<Divisor<K>, N> by_unit_ = {};
  Array<Divisor<K>, N> by_extent_ = {};
};

}  // namespace crinkle
