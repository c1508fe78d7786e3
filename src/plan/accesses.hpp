// Counts what a tile asks of the memory system, from the walk that a kernel does: requests of a warp of 32 lanes, the 32-byte
// sectors that they touch, the fewest that so many bytes need, and wavefronts of shared memory.
//     amplification = sectors / ideal sectors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tile/shape.hpp"

namespace crinkle::planning {

struct SideCounts {
  std::int64_t requests = 0;          // warp-wide accesses with an active lane
  std::int64_t sectors = 0;           // distinct sectors, summed over requests
  std::int64_t ideal_sectors = 0;     // Σ ⌈bytes / sector⌉
  std::int64_t wavefronts = 0;        // of shared memory: stores for the read side, loads for the write side
  std::int64_t ideal_wavefronts = 0;  // one per phase of a request

  void add(const SideCounts& other, std::int64_t times = 1) {
    requests += times * other.requests;
    sectors += times * other.sectors;
    ideal_sectors += times * other.ideal_sectors;
    wavefronts += times * other.wavefronts;
    ideal_wavefronts += times * other.ideal_wavefronts;
  }
};

struct AccessCounts {
  SideCounts read, write;
  std::int64_t blocks = 0;     // of the launch
  std::int64_t n_counted = 0;  // of them alike to one that was walked; the counts are scaled from them, exact when it is all of them
};

/// The counts of one block. Requires index < the tile's number of blocks.
AccessCounts count_block(const tile::Tile& tile, std::uint32_t index, std::int32_t sector_bytes);

/// Blocks that lie alike – full or cut alike, at the same phases of a sector – ask alike: the counts are those of one block of each of up
/// to `most` classes, times how many blocks are in it. Cost: the units of the walked blocks, and where each block lies, of up to a million.
AccessCounts count_accesses(const tile::Tile& tile, std::int32_t sector_bytes, std::int64_t most = 64);

}  // namespace crinkle::planning
