// An involution as exchanges: pairs of places, each pair once, what stays not touched. The axes of a box that is its own inverse are of
// three kinds: fixed ones, flipped ones, and pairs that change places. Its places are paired by deciding one axis (pair) after the other,
//     flipped     i < n/2 against n−1−i;    the middle, where there is one, goes on
//     a pair      i > j against (j, i);     the diagonal i = j, an axis by itself, goes on
// and each decision leaves a plain exchange of two boxes, all other axes free. The pair that is contiguous goes last, in square tiles: a
// tile below the diagonal with its mirror image, a tile on the diagonal with itself. Two boxes that are each other's inverse are one plain
// exchange. What stays within small dense blocks (panels) is moved into a core's cache by the schedules of schedule.hpp, and copied back.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "base/held_bytes.hpp"
#include "plan/folded_pairs.hpp"
#include "plan/involution.hpp"
#include "plan/schedule.hpp"

namespace crinkle::planning {

inline constexpr std::int64_t most_panel_bytes = 8 << 10;  // two of them in a core's caches

enum class Exchanged : std::uint8_t {
  runs,      // `element` bytes with as many others
  reversed,  // rows of n elements with others, reversed on the way
  tiles,     // rows along one chain of axes with columns along another
  squares,   // the same within one square matrix, of which it exchanges the two triangles
  turned,    // items that stay in place, their bytes reversed
  ordered,   // runs with others, where the source lies before the destination
  panels     // n bytes that are rearranged among themselves
};

/// The word for a kind: "runs", "reversed", …
const char* name_of(Exchanged kind) noexcept;

/// For all indices of all axes, src[src_offset + …] and dst[dst_offset + …], which are the same buffers, change their contents.
struct Exchange {
  Exchanged kind = Exchanged::runs;
  std::int64_t element = 1;  // bytes
  std::int64_t swapped = 0;  // the bytes of items of so many are reversed on the way; divides the element
  std::int64_t n = 1;
  std::int64_t src_offset = 0, dst_offset = 0;
  std::int32_t src_slot = 0, dst_slot = 0;
  AxisList down;                    // of tiles: fastest first, one behind the other in the destination
  AxisList along;                   // of tiles: fastest first, one behind the other in the source; of squares: down[k]'s pair is along[k]
  AxisList outer;                   // fastest first
  Axis above, below;                // a pair of which only above's index > below's is exchanged; extent 1 where there is none
  std::vector<Schedule> schedules;  // of panels: what rearranges one
  std::int64_t n_bytes = 0;         // written

  std::int64_t held_bytes() const { return held_by(down, along, outer, schedules); }
};

/// Requires partners_of() the boxes, all of whose offsets count from one address.
std::vector<Exchange> exchanges_of(const Boxes& boxes, const Partners& partners);

}  // namespace crinkle::planning
