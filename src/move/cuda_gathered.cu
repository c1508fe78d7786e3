// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_gathered.cuh"

#include "move/cuda_forms.cuh"
#include "tile/gathered_known.hpp"

namespace crinkle {
namespace {

template <int unit, tile::Known known>
struct Gathered {
  // Where single bytes lie anywhere, sixteen cells a piece need the registers (odd extents 0.80 of a copy, with five blocks 0.79).
  static constexpr int threads = 256, blocks = unit == 1 && (known & tile::superset) != 0 ? 4 : 5;
  using Tile = tile::GatheredTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
    kernel::move_gathered<unit, known | tile::of_unit(unit)>(tile, index, slots, shared);
  }
};

template <int unit>
const void* best_of(tile::Known granted) {
  return tile::gathered::with_best<unit>(
      granted, [](auto known) { return kernel::kernel_of<Gathered<unit, decltype(known)::value>, Gathered<unit, 0>>(); });
}

}  // namespace

const void* gathered_kernel(int unit, tile::Known known) {
  return kernel::of_unit(unit, [known](auto bytes) { return best_of<bytes>(known); });
}

}  // namespace crinkle
