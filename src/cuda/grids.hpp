// Work of more blocks than a grid holds, as several launches. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace crinkle::gpu {

inline constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();

/// launch(first, n) for n ≤ `most` blocks at a time.
template <class Launch>
void for_each_grid(std::int64_t n_blocks, Launch&& launch, std::int64_t most = most_blocks) {
  for (std::int64_t first = 0; first < n_blocks; first += most) launch(first, static_cast<std::uint32_t>(std::min(most, n_blocks - first)));
}

}  // namespace crinkle::gpu
