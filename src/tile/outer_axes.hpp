// The axes around what a kernel moves at once, as constants of a kernel that is compiled for a plan: item number n has the indices i_a, the
// first axis fastest, and lies at src = Σ i_a · src_a, dst likewise.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle::tile {

struct OuterAxis {
  std::uint32_t extent = 1;
  std::int64_t src = 0, dst = 0;  // bytes per index
};

struct OuterAxes {
  static constexpr int most = 6;
  struct Offset {
    std::int64_t src = 0, dst = 0;  // bytes
  };

  std::int32_t n = 0;
  Array<OuterAxis, most> axis = {};

  CRINKLE_HD constexpr Offset at(std::uint32_t number) const {
    Offset offset;
    CRINKLE_UNROLL
    for (int a = 0; a < most; ++a) {
      if (a >= n) continue;
      const std::uint32_t rest = a + 1 < n ? number / axis[a].extent : 0;
      const std::int64_t i = number - rest * axis[a].extent;
      offset.src += i * axis[a].src;
      offset.dst += i * axis[a].dst;
      number = rest;
    }
    return offset;
  }
};

}  // namespace crinkle::tile
