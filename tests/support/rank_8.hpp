// The common case of planning: one box of rank 8, a permutation of small extents that fuses nowhere. Allocations are counted and times
// are taken on it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/axis.hpp"

namespace crinkle::testing {

inline Box rank_8() {
  Box box;
  box.unit = 4;
  const std::int64_t extents[8] = {3, 5, 7, 4, 6, 5, 9, 11};
  std::int64_t stride = 4;
  for (int a = 7; a >= 0; --a) {
    box.axes.insert(box.axes.begin(), Axis{extents[a], 0, stride});
    stride *= extents[a];
  }
  stride = 4;
  for (const int a : {2, 5, 0, 7, 3, 1, 6, 4}) {  // the source's axes, fastest first
    box.axes[static_cast<std::size_t>(a)].src_stride = stride;
    stride *= extents[a];
  }
  return box;
}

}  // namespace crinkle::testing
