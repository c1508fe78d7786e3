// What the hardware will count when a tile runs, from the walk of the tile itself: requests, sectors, wavefronts of shared memory. All
// blocks are walked while that is cheap; beyond, representative blocks stand for their class (where along each cut axis, ALGORITHMS I.2)
// with its exact weight, which is exact too as long as every block of a class begins at the same place of a line.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "plan/machine.hpp"
#include "plan/tiling.hpp"

namespace crinkle {

/// One side of memory.
struct SideCounts {
  std::int64_t requests = 0;       // instructions of a warp with at least one lane at work
  std::int64_t sectors = 0;        // moved
  std::int64_t ideal_sectors = 0;  // ⌈bytes of a request / sector⌉, summed
  std::int64_t bytes = 0;          // asked for

  double amplification() const { return ideal_sectors == 0 ? 1.0 : static_cast<double>(sectors) / static_cast<double>(ideal_sectors); }
  friend bool operator==(const SideCounts&, const SideCounts&) = default;
};

struct AccessCounts {
  SideCounts read;
  SideCounts write;
  std::int64_t shared_wavefronts = 0;
  std::int64_t ideal_wavefronts = 0;  // one per phase
  std::int64_t blocks = 0;            // with something to do
  bool is_exact = true;               // else classes were sampled

  friend bool operator==(const AccessCounts&, const AccessCounts&) = default;
};

/// Cost: at most about `most_requests` requests are looked at, some 100 ns each; no allocation.
AccessCounts count_accesses(const Tiling& tiling, const Machine& machine, std::int64_t most_requests = 8192);

}  // namespace crinkle
