// What the memory system is asked by a tile, counted from the walk that a kernel does: requests of a warp of 32 lanes, the 32-byte
// sectors that they touch, the fewest that so many bytes need, and wavefronts of shared memory.
//     amplification = sectors / ideal sectors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tile/shape.hpp"

namespace crinkle::plan {

struct SideCounts {
  std::int64_t requests = 0;          // warp-wide accesses with an active lane
  std::int64_t sectors = 0;           // distinct sectors, summed over requests
  std::int64_t ideal_sectors = 0;     // Σ ⌈bytes / sector⌉
  std::int64_t wavefronts = 0;        // of shared memory: stores for the read side, loads for the write side
  std::int64_t ideal_wavefronts = 0;  // one per phase of a request
};

struct AccessCounts {
  SideCounts read, write;
  std::int64_t blocks = 0;     // of the launch
  std::int64_t n_counted = 0;  // blocks that were walked; the counts are scaled from them, exact when it is all of them
};

/// Walks every block of up to `most` of them, else `most` blocks spread evenly from the first to the last.
/// Cost: the units of the walked blocks.
AccessCounts count_accesses(const tile::Tile& tile, std::int32_t sector_bytes, std::int64_t most = 16);

}  // namespace crinkle::plan
