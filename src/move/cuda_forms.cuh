// The two forms of every kernel: one tile as a parameter, or the tiles of a table in the device's memory.
//     struct Move { threads and blocks, for the launch bounds; Tile<Room>; move(tile, index of the block in it, slots, shared memory) }
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda_kernels.hpp"
#include "tile/frame.hpp"

namespace crinkle::kernel {

template <class Move>
__global__ void __launch_bounds__(Move::threads, Move::blocks)
    of_tile(const __grid_constant__ typename Move::template Tile<tile::Large> tile, std::uint32_t first,
            const __grid_constant__ CudaSlots slots) {
  extern __shared__ __align__(128) char shared[];
  Move::move(tile, first + blockIdx.x, slots, shared);
}

/// The last tile that begins at or before the block. A warp asks 32 at a time.
__device__ inline int tile_of(const std::uint32_t* first_blocks, int n, std::uint32_t block) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  int first = 0;
  while (n > 1) {
    const int step = (n + 31) / 32, at = lane * step;
    const bool is_at_or_before = at < n && first_blocks[first + at] <= block;
    const int taken = (__popc(__ballot_sync(0xFFFFFFFFu, is_at_or_before)) - 1) * step;
    first += taken;
    n = n - taken < step ? n - taken : step;
  }
  return first;
}

/// The table is read only; said so (__restrict__), what was read of a tile is not read again after every store.
template <class Move>
__global__ void __launch_bounds__(Move::threads, Move::blocks)
    of_table(const std::uint32_t* __restrict__ first_blocks, std::int32_t n, const typename Move::template Tile<tile::Large>* __restrict__ tiles,
             std::uint32_t first, const __grid_constant__ CudaSlots slots) {
  extern __shared__ __align__(128) char shared[];
  const int at = tile_of(first_blocks, n, first + blockIdx.x);
  Move::move(tiles[at], first + blockIdx.x - first_blocks[at], slots, shared);
}

/// Both forms of a kernel; `General` is what tables of its tiles are run with.
template <class Move, class General = Move>
CudaKernels forms_of() {
  return {reinterpret_cast<const void*>(&of_tile<Move>), reinterpret_cast<const void*>(&of_table<General>)};
}

}  // namespace crinkle::kernel
