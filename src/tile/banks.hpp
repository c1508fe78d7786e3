// Wavefronts of one shared-memory request: lanes go in phases of 32 (up to 4 bytes each), 16 (8 bytes) or 8 (16 bytes); a phase takes
// as many wavefronts as the busiest of the 32 banks has distinct 4-byte words, equal words being broadcast. Aligned 8- and 16-byte
// words occupy two and four neighbouring banks, so counting them by group of banks comes to the same.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace crinkle::tile {

/// Lanes that one phase serves.
constexpr int phase_lanes(int bytes) { return bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32; }

/// Wavefronts of one phase of n ≤ 32 aligned accesses of `bytes` each; a negative address is an idle lane.
constexpr int wavefronts(const std::int32_t* address, int n, int bytes) {
  const int width = bytes < 4 ? 4 : bytes;
  const int groups = 128 / width;
  std::int32_t seen[32] = {};
  std::int8_t load[32] = {};
  int n_seen = 0, worst = 0;
  for (int lane = 0; lane < n; ++lane) {
    if (address[lane] < 0) continue;
    const std::int32_t word = address[lane] / width;
    bool is_known = false;
    for (int i = 0; i < n_seen && !is_known; ++i) is_known = seen[i] == word;
    if (is_known) continue;
    seen[n_seen++] = word;
    const int count = ++load[word % groups];
    if (count > worst) worst = count;
  }
  return worst;
}

}  // namespace crinkle::tile
