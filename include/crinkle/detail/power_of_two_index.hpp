// The k-index whose extents are powers of two: k is a row of bit fields, axis 0 (the fastest) in the lowest bits, and every
// map of k is a handful of AND, OR, exclusive or and shift. {16, 16, 16}: bits 4 4 4, offsets 0 4 8, masks 0x00F 0x0F0 0xF00.
// Source: Hawick and Playne, sections 5, 6.2 and 8, eqs. 11-18 and 21-24 (see kindex.hpp, the header to include).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/kindex_base.hpp"

namespace crinkle {

/// Extents that are powers of two: every index is a field of bits of k. 32-bit k for up to 2^31 cells, 64-bit for up to 2^63.
template <int N, class K = std::uint64_t>
class PowerOfTwoIndex : public detail::KIndexBase<PowerOfTwoIndex<N, K>, N, K> {
  using Base = detail::KIndexBase<PowerOfTwoIndex, N, K>;

 public:
  using typename Base::Distances;
  using typename Base::Extents;
  using typename Base::Indices;

  /// A set of axes to flip: the mask of eq. 22.
  struct Flip {
    K mask;
  };
  /// Distances to roll by, each in its axis' field: the k that cell 0 moves to.
  struct Shift {
    K packed;
    K edge, end;  // a run ends at these, modulo `end`: those of the lowest axis that moves
  };
  /// A step that is a power of two makes fields of bits change places; any other step divides the axis.
  struct Crinkle {
    bool by_bits;
    int n_bits;  // of the phase
    int rise;    // how far up the phase moves
    K phase;     // the bits that number the phase
    K above;     // the bits that the phase passes
    detail::AxisCrinkle<K> by_division;
  };

  /// True if every extent is a power of two and k can name every cell: at most 2^32 − 1 or 2^63 of them.
  CRINKLE_HD static constexpr bool fits(const Extents& extents) {
    for (const std::uint64_t extent : extents)
      if (extent == 0 || (extent & (extent - 1)) != 0) return false;
    return Base::product_fits(extents);
  }

  constexpr PowerOfTwoIndex() = default;

  /// Requires: fits(extents); else the index is not is_valid() and has no cells, so that a loop over it does nothing.
  CRINKLE_HD constexpr explicit PowerOfTwoIndex(const Extents& extents) : Base(extents, fits(extents)) {
    for (int axis = 0; axis < N && this->is_valid(); ++axis) {
      while ((K(1) << bits_[axis]) < this->extent(axis)) ++bits_[axis];
      mask_[axis] = static_cast<K>((this->extent(axis) - 1) << n_bits_);
      offset_[axis] = n_bits_;
      n_bits_ += bits_[axis];
      tops_ |= mask_[axis] & ~(mask_[axis] >> 1);
    }
  }

  CRINKLE_HD constexpr int bits(int axis) const { return bits_[axis]; }                             // eq. 11, as an integer logarithm
  CRINKLE_HD constexpr int offset(int axis) const { return offset_[axis]; }                         // eq. 12
  CRINKLE_HD constexpr K mask(int axis) const { return mask_[axis]; }                               // eq. 13
  CRINKLE_HD constexpr K inverse(int axis) const { return (this->total() - 1) & ~mask_[axis]; }     // eq. 16
  CRINKLE_HD constexpr K unit(int axis) const { return static_cast<K>(K(1) << offset_[axis]); }     // eq. 17
  CRINKLE_HD constexpr K index(K k, int axis) const { return (k & mask_[axis]) >> offset_[axis]; }  // eq. 14

  /// k of the cell at the given indices (eq. 15). Requires: indices[axis] < extent(axis).
  CRINKLE_HD constexpr K compose(const Indices& indices) const {
    K k = 0;
    for (int axis = 0; axis < N; ++axis) k |= static_cast<K>(indices[axis] << offset_[axis]);
    return k;
  }

  CRINKLE_HD constexpr Indices decompose(K k) const {
    Indices indices{};
    for (int axis = 0; axis < N; ++axis) indices[axis] = index(k, axis);
    return indices;
  }

  /// Eq. 18: the field alone takes the sum, and loses its carry. (k has no bits that only inverse(axis) would clear: k < total().)
  CRINKLE_HD constexpr K periodic_neighbour(K k, int axis, std::int64_t distance) const {
    return ((k + (static_cast<K>(distance) << offset_[axis])) & mask_[axis]) | (k & ~mask_[axis]);
  }

  CRINKLE_HD constexpr K flip(K k, int axis) const { return k ^ mask_[axis]; }        // eq. 21, whose NOT, AND and OR make an exclusive or
  CRINKLE_HD constexpr K flip(K k, const Flip& axes) const { return k ^ axes.mask; }  // eq. 23, likewise
  CRINKLE_HD constexpr Flip make_flip(const Axes<N>& axes) const {
    K mask = 0;
    for (int axis = 0; axis < N; ++axis) mask |= axes[axis] ? mask_[axis] : K(0);
    return {mask};
  }

  /// All axes in one addition: the top bit of each field is added without its carry, so none reaches the next field.
  CRINKLE_HD constexpr K shift(K k, const Shift& by) const { return ((k & ~tops_) + (by.packed & ~tops_)) ^ ((k ^ by.packed) & tops_); }
  CRINKLE_HD constexpr Shift make_shift(const Distances& distances) const {
    Shift shift{0, 0, 0};
    for (int axis = N - 1; axis >= 0; --axis) {
      const K field = static_cast<K>(static_cast<K>(distances[axis]) << offset_[axis]) & mask_[axis];
      shift.packed |= field;
      if (field == 0) continue;
      shift.end = static_cast<K>(K(1) << offset_[axis] << bits_[axis]);
      shift.edge = shift.end - field;
    }
    return shift;
  }

  CRINKLE_HD constexpr K crinkle(K k, const Crinkle& by) const {
    if (!by.by_bits) return by.by_division.apply(k);
    return (k & ~(by.phase | by.above)) | ((k & by.above) >> by.n_bits) | ((k & by.phase) << by.rise);
  }
  CRINKLE_HD constexpr K uncrinkle(K k, const Crinkle& by) const {
    if (!by.by_bits) return by.by_division.undo(k);
    return (k & ~(by.phase | by.above)) | ((k << by.n_bits) & by.above) | ((k >> by.rise) & by.phase);
  }
  CRINKLE_HD constexpr Crinkle make_crinkle(int axis, std::uint64_t step, Placement placement = Placement::global) const {
    const K n = this->step_within(axis, step);
    if ((n & (n - 1)) != 0) return {false, 0, 0, 0, 0, this->axis_crinkle(axis, unit(axis), n, placement)};
    int n_bits = 0;
    while ((K(1) << n_bits) < n) ++n_bits;
    const int end = placement == Placement::global ? n_bits_ : offset_[axis] + bits_[axis];
    const K phase = static_cast<K>((n - 1) << offset_[axis]);
    const K below_end = static_cast<K>((K(1) << end) - 1), from_axis = static_cast<K>(~(unit(axis) - 1));
    return {true, n_bits, end - n_bits - offset_[axis], phase, below_end & from_axis & ~phase, {}};
  }

  /// The cells from k on that a map moves along a line.
  CRINKLE_HD constexpr KIndexRun<K> run(K k, const Flip& by) const {
    const bool turns = (by.mask & 1) != 0;
    const K other = (turns ? ~by.mask : by.mask) & (this->total() - 1);
    const K end = other == 0 ? this->total() : static_cast<K>(other & (0 - other));
    return {flip(k, by), end - (k & (end - 1)), turns ? static_cast<K>(~K(0)) : K(1)};
  }
  CRINKLE_HD constexpr KIndexRun<K> run(K k, const Shift& by) const {
    if (by.packed == 0) return {k, this->total() - k, 1};
    const K at = k & (by.end - 1);
    return {shift(k, by), (at < by.edge ? by.edge : by.end) - at, 1};
  }
  CRINKLE_HD constexpr KIndexRun<K> run(K k, const Crinkle& by) const {
    if (!by.by_bits) return by.by_division.run(k);
    if (by.phase == 0) return {k, this->total() - k, 1};
    const K unit = static_cast<K>(by.phase & (0 - by.phase)), end = unit > 1 ? unit : by.phase + 1;
    return {crinkle(k, by), end - (k & (end - 1)), static_cast<K>(unit > 1 ? K(1) : K(1) << by.rise)};
  }

 private:
  Array<int, N> bits_ = {};
  Array<int, N> offset_ = {};
  Indices mask_ = {};
  K tops_ = 0;  // the top bit of every field
  int n_bits_ = 0;
};

}  // namespace crinkle
