// A group's pieces: the affine runs of one input axis, as strides and offsets in bytes of both sides. The current indices of the
// group's digits are partitioned by its pieces.
//   one digit         one piece per run of its map
//   several digits    the product of the digits' runs, cut where the mixed-radix number of their values crosses a segment of the
//                     whole axis' map; a range of such numbers is at most 2D−1 boxes of D digits
//   ragged            two pieces: phases 0 … r−1 hold q+1 elements, phases r … n−1 hold q; q = ⌊extent / n⌋, r = extent mod n
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "crinkle/rearrangement.hpp"

namespace crinkle {

struct Piece {
  detail::SmallVector<Axis, 4> axes;
  std::int64_t src_offset = 0, dst_offset = 0;  // bytes
  std::int64_t src_slot = 0, dst_slot = 0;
  std::int32_t fill = -1;
};

struct DigitStride {
  std::int64_t stride = 0;  // of the destination; 0 for a digit that is not there (`at` removed it)
  Counts counts = Counts::bytes;
};
using DigitStrides = std::vector<std::vector<DigitStride>>;  // [group][digit]

/// The pieces of a group, or of one digit of it where the whole axis' map is the identity, so that its digits do not meet.
struct Factor {
  int group = -1;  // -1: a repeat
  int digit = -1;  // -1: all digits together
  Piece whole;     // all of the destination that the pieces cover together
  std::vector<Piece> pieces;
  bool is_scattered = false;  // an index array: too many short runs to be pieces, so there are none
};

inline constexpr std::size_t max_runs = 64;  // more runs on one axis, short ones, are an index array and not a chain of verbs

/// An axis that is split and has a map of its own as a whole cannot be gathered: it may have up to `most_split_runs` runs.
std::vector<Factor> factors_of(const std::vector<Group>& groups, const DigitStrides& strides, std::size_t most_split_runs = max_runs);

}  // namespace crinkle
