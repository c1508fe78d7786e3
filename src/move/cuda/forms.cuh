// The form of every kernel: its first tile is a parameter, whose fields cost an instruction nothing to read; further tiles of the launch
// lie in a table in the device's memory.
//     struct Move { threads and blocks, for the launch bounds; Tile; move(tile, index of the block in it, slots, shared memory) }
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "move/cuda/kernels.hpp"
#include "tile/frame.hpp"

namespace crinkle::kernel {

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

/// A block of a tile of the table; a function of its own, so that what it needs in registers is not taken from the first tile. The tile is
/// brought to shared memory first, all of it at once: field by field each would be waited for.
template <class Move>
__device__ __noinline__ void move_further(const typename Move::Tile* __restrict__ tile, std::uint32_t index, const CudaSlots& slots) {
  extern __shared__ __align__(128) char shared[];
  using Tile = typename Move::Tile;
  static_assert(sizeof(Tile) % 8 == 0 && std::is_trivially_copyable_v<Tile>);
  const auto* from = reinterpret_cast<const uint2*>(tile);
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(sizeof(Tile) / 8); i += static_cast<int>(blockDim.x))
    reinterpret_cast<uint2*>(shared)[i] = from[i];
  __syncthreads();
  Move::move(*reinterpret_cast<const Tile*>(shared), index, slots, shared + shared_bytes_of_tile<Tile>());
}

/// The index of a block among those of the table's tiles, which come first, where they lie evenly among all blocks of the launch.
__device__ inline std::uint32_t mixed(std::uint32_t index, std::uint32_t n_before) {
  const std::uint64_t further = index * std::uint64_t{n_before}, before = further / gridDim.x;
  const bool is_further = (further + n_before) / gridDim.x > before;
  return static_cast<std::uint32_t>(is_further ? before : n_before + index - before);
}

/// `Further` moves the tiles of the table, which may grant less than the first one. They come first: what is small and slow is done while
/// the large one still runs. A number below 0: they lie evenly among all blocks.
template <class Move, class Further>
__global__ void __launch_bounds__(Move::threads, Move::blocks)
    move_tiles(const __grid_constant__ typename Move::Tile tile, const std::uint32_t* __restrict__ first_blocks, std::int32_t n_further,
               std::uint32_t n_before, const typename Move::Tile* __restrict__ further, std::uint32_t first,
               const __grid_constant__ CudaSlots slots) {
  extern __shared__ __align__(128) char shared[];
  std::uint32_t index = first + blockIdx.x;
  if (n_further < 0) index = mixed(index, n_before);
  if (index >= n_before) return Move::move(tile, index - n_before, slots, shared);
  const int at = tile_of(first_blocks, n_further < 0 ? -n_further : n_further, index);
  move_further<Further>(further + at, index - first_blocks[at], slots);
}

template <class Move, class Further = Move>
const void* kernel_of() {
  return reinterpret_cast<const void*>(&move_tiles<Move, Further>);
}

/// make(the unit that is asked, as a constant).
template <class Make>
const void* of_unit(int unit, const Make& make) {
  switch (unit) {
    case 1: return make(std::integral_constant<int, 1>());
    case 2: return make(std::integral_constant<int, 2>());
    case 4: return make(std::integral_constant<int, 4>());
    case 8: return make(std::integral_constant<int, 8>());
    default: return make(std::integral_constant<int, 16>());
  }
}

}  // namespace crinkle::kernel
