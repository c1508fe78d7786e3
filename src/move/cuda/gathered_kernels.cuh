// The kernels of gathered tiles. They take long to compile: a file each instantiates some of one unit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/forms.cuh"
#include "move/cuda/gathered.cuh"
#include "tile/gathered_known.hpp"

namespace crinkle::kernel {

template <int unit, Known known>
struct Gathered {
  // Single bytes that lie anywhere, sixteen cells a piece, need the registers (odd extents 0.80 of a copy, with five blocks 0.79).
  static constexpr int threads = 256, blocks = unit == 1 && (known & tile::superset) != 0 ? 4 : 5;
  using Tile = tile::GatheredTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
    kernel::move_gathered<unit, known | tile::of_unit(unit)>(tile, index, slots, shared);
  }
};

template <int unit, Known known>
const void* gathered_kernel_of() {
  return kernel_of<Gathered<unit, known>, Gathered<unit, 0>>();
}

}  // namespace crinkle::kernel
