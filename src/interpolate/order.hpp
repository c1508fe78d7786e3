// An order in which places that follow each other are near each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/detail/hd.hpp"
#include "crinkle/executor.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// Where q lies along Morton's curve through a box of 3 axes, of 2^16 cells each.
CRINKLE_HD inline std::uint64_t code_on_curve(const double* q, const double* least, const double* most) {
  constexpr int bits = 16;
  std::uint64_t code = 0;
  for (int a = 0; a < 3; ++a) {
    const double extent = most[a] - least[a];
    if (!(extent > 0)) continue;
    auto x = static_cast<std::uint64_t>((q[a] - least[a]) / extent * ((1 << bits) - 1));
    x = (x | x << 16) & 0x0000FF0000FFu;  // bit b of the 16-bit number at bit 3b
    x = (x | x << 8) & 0x00F00F00F00Fu;
    x = (x | x << 4) & 0x0C30C30C30C3u;
    code |= ((x | x << 2) & 0x249249249249u) << a;
  }
  return code;
}

/// All targets, along Morton's curve through a grid of 2^16 cells an axis; in a cell by number.
std::vector<std::int64_t> order_along_curve(const Targets& targets, Executor& executor);
/// The same samples in that order.
SamplePlanes along_curve(const SamplePlanes& samples, Executor& executor);

}  // namespace crinkle::interpolation
