// Entries of whole vectors that an index array picks. Walked through on a CPU, too.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/vectors.cuh"
#include "tile/picked_tile.hpp"

namespace crinkle::kernel {

__device__ inline void move_picked(const tile::PickedTile& tile, std::uint32_t block, const char* src, char* dst, const char* table) {
  constexpr int each = tile::PickedTile::each;
  char* to[each];   // [each], null: there is no such vector
  uint4 vec[each];  // [each]
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const std::uint32_t number = (block * each + static_cast<std::uint32_t>(e)) * tile.threads + threadIdx.x;
    to[e] = nullptr;
    if (number >= tile.n_all) continue;
    const auto place = tile.place(number);
    const char* const entry = table + std::int64_t{place.entry} * static_cast<std::int64_t>(sizeof(tile::PickedEntry));
    to[e] = dst + place.dst + load<std::int64_t>(entry + offsetof(tile::PickedEntry, dst));
    vec[e] = load<uint4>(src + place.src + load<std::int64_t>(entry + offsetof(tile::PickedEntry, src)));
  }
#pragma unroll
  for (int e = 0; e < each; ++e)
    if (to[e] != nullptr) store(to[e], vec[e]);
}

}  // namespace crinkle::kernel
