// The numbers that benchmarks fill their arrays with, the same on host and device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle::bench {

/// The next number of a sequence that begins with any state (splitmix64, Steele, Lea and Flood 2014).
CRINKLE_HD inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace crinkle::bench
