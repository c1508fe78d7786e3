// Runs, in which a map of k is a line, and the crinkle of one axis by division (see kindex.hpp, the header to include).
// Source: Hawick and Playne, section 8.3, eq. 24.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"

namespace crinkle {

/// Cells whose map is a line: k + j goes to `to + j · stride`, modulo 2 to the bits of K, for 0 ≤ j < count.
template <class K>
struct KIndexRun {
  K to;
  K count;  // 1 or more
  K stride;
};

namespace detail {

/// Eq. 24 for any step n ≥ 1: i = phase + n·j goes to place j of its phase. With L = q·n + m, phases 0 … m−1 hold q+1 indices
/// and the others q; the phases lie one after the other, each an array of its own extents, within every block of `block` cells.
/// Where n divides L, a block W holds n phases of P = W / n cells, and with the axis' unit U both ways are sums of quotients:
///     k + (P − U)·⌊k / U⌋ + (U − W)·⌊k / (U·n)⌋ + (W − P)·⌊k / W⌋        and back
///     k + (n·U − U)·⌊k / U⌋ + (U − W)·⌊k / P⌋ + (W − n·U)·⌊k / W⌋
template <class K>
class AxisCrinkle {
 public:
  constexpr AxisCrinkle() = default;
  /// Requires: 1 ≤ step ≤ extent and unit · extent divides block, which divides total, or extent = 0, which has nothing to move.
  CRINKLE_HD constexpr AxisCrinkle(K unit, K extent, K block, K total, K step)
      : q_(extent / step),
        m_(extent % step),
        slab_(extent == 0 ? K(0) : block / extent),
        is_whole_(block == total),
        block_(block),
        unit_(unit),
        extent_(extent),
        step_(step),
        short_(q_),
        long_(q_ + 1),
        short_phase_(slab_ * q_),
        long_phase_(slab_ * (q_ + 1)),  // the long ones are used only where m > 0, and fit there
        period_(unit * step) {}

  CRINKLE_HD constexpr K apply(K k) const { return m_ == 0 ? by_quotients(k, short_phase_.value(), period_) : by_phases(k); }
  CRINKLE_HD constexpr K undo(K k) const { return m_ == 0 ? by_quotients(k, period_.value(), short_phase_) : by_phases_back(k); }

  /// The cells from k on that apply() moves along a line.
  CRINKLE_HD constexpr KIndexRun<K> run(K k) const {
    const K unit = unit_.value();
    if (unit > 1) return {apply(k), unit - unit_.remainder(k), 1};
    if (m_ != 0) return {apply(k), 1, 0};
    return {apply(k), period_.value() - period_.remainder(k), short_phase_.value()};
  }

 private:
  CRINKLE_HD constexpr K by_quotients(K k, K width, const Divisor<K>& by) const {
    const K unit = unit_.value(), block = block_.value();
    const K to = k + (width - unit) * unit_.quotient(k) + (unit - block) * by.quotient(k);
    return is_whole_ ? to : to + (block - width) * block_.quotient(k);
  }

  CRINKLE_HD constexpr K by_phases(K k) const {
    const Division<K> in_block = block_.divide(k);
    const Division<K> in_row = unit_.divide(in_block.remainder);
    const Division<K> in_axis = extent_.divide(in_row.quotient);
    const Division<K> in_phase = step_.divide(in_axis.remainder);
    const K phase = in_phase.remainder;
    const K count = phase < m_ ? q_ + 1 : q_;
    const K before = phase * q_ + (phase < m_ ? phase : m_);  // indices in the phases before this one
    const K row = in_phase.quotient + count * in_axis.quotient;
    return in_block.quotient * block_.value() + slab_ * before + unit_.value() * row + in_row.remainder;
  }

  CRINKLE_HD constexpr K by_phases_back(K k) const {
    const Division<K> in_block = block_.divide(k);
    const K long_phases = m_ * slab_ * (q_ + 1);
    const bool is_long = in_block.remainder < long_phases;
    const Division<K> in_array = is_long ? long_phase_.divide(in_block.remainder) : short_phase_.divide(in_block.remainder - long_phases);
    const K phase = is_long ? in_array.quotient : m_ + in_array.quotient;
    const Division<K> in_row = unit_.divide(in_array.remainder);
    const Division<K> in_phase = is_long ? long_.divide(in_row.quotient) : short_.divide(in_row.quotient);
    const K i = phase + step_.value() * in_phase.remainder;
    return in_block.quotient * block_.value() + unit_.value() * (i + extent_.value() * in_phase.quotient) + in_row.remainder;
  }

  K q_ = 1, m_ = 0, slab_ = 1;
  bool is_whole_ = true;  // one block, not several
  Divisor<K> block_, unit_, extent_, step_, short_, long_, short_phase_, long_phase_, period_;
};

}  // namespace detail

}  // namespace crinkle
