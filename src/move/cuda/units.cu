// One unit a thread: copied or filled, or exchanged with the place it goes to. Four of a thread are under way at once.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/forms.cuh"
#include "move/cuda/words.cuh"
#include "tile/unit_tile.hpp"

namespace crinkle {
namespace {

using kernel::Word;
using tile::UnitTile;

template <int unit>
__device__ inline void move_units(const UnitTile& tile, std::uint32_t index, const CudaSlots& slots) {
  Word<unit> v[UnitTile::each];  // [each]
  char* to[UnitTile::each];
#pragma unroll
  for (int e = 0; e < UnitTile::each; ++e) {
    const auto place = tile.place(tile.number(index, static_cast<int>(threadIdx.x), e), slots.tables);
    to[e] = place.is_wanted ? slots.destination(place.dst_slot) + place.dst : nullptr;
    if (place.is_wanted)
      v[e] = tile.is_fill ? kernel::pattern_of<unit>(tile) : kernel::load<Word<unit>>(slots.source(place.src_slot) + place.src);
  }
#pragma unroll
  for (int e = 0; e < UnitTile::each; ++e)
    if (to[e] != nullptr) kernel::store(to[e], v[e]);
}

template <int unit>
__device__ inline void exchange_units(const UnitTile& tile, std::uint32_t index, const CudaSlots& slots) {
#pragma unroll 1
  for (int e = 0; e < UnitTile::each; ++e) {
    const auto place = tile.place(tile.number(index, static_cast<int>(threadIdx.x), e), slots.tables);
    if (!UnitTile::is_first(place)) continue;
    auto* here = reinterpret_cast<Word<unit>*>(slots.destination(place.src_slot) + place.src);
    auto* there = reinterpret_cast<Word<unit>*>(slots.destination(place.dst_slot) + place.dst);
    const Word<unit> a = *here, b = *there;
    *here = b;
    *there = a;
  }
}

template <bool is_exchange, int unit>
__device__ inline void go(const UnitTile& tile, std::uint32_t index, const CudaSlots& slots) {
  if constexpr (is_exchange) exchange_units<unit>(tile, index, slots);
  else move_units<unit>(tile, index, slots);
}

template <bool is_exchange>
struct Units {
  static constexpr int threads = UnitTile::threads, blocks = 4;
  using Tile = UnitTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char*) {
    switch (tile.unit) {
      case 1: return go<is_exchange, 1>(tile, index, slots);
      case 2: return go<is_exchange, 2>(tile, index, slots);
      case 4: return go<is_exchange, 4>(tile, index, slots);
      case 8: return go<is_exchange, 8>(tile, index, slots);
      default: return go<is_exchange, 16>(tile, index, slots);
    }
  }
};

}  // namespace

const void* units_kernel(bool is_exchange) { return is_exchange ? kernel::kernel_of<Units<true>>() : kernel::kernel_of<Units<false>>(); }

}  // namespace crinkle
