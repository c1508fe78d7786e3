// What kernels of tiles share: buffers, shared memory, and what a block prepares before it moves anything.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/slots.hpp"
#include "move/cuda/vectors.cuh"
#include "tile/frame.hpp"

namespace crinkle::kernel {

using tile::Known;

/// To shared memory.
template <class T>
__device__ inline void stage(char* to, const T& value) {
  *reinterpret_cast<T*>(to) = value;
}

/// The unit that is filled in: of a segment, of its cells, of a tile of units.
template <int unit, class Filled>
__device__ inline Word<unit> pattern_of(const Filled& filled) {
  if constexpr (unit == 16) {
    const auto* half = reinterpret_cast<const uint2*>(filled.pattern.begin());  // it lies at a multiple of 8
    return {half[0].x, half[0].y, half[1].x, half[1].y};
  } else {
    return *reinterpret_cast<const Word<unit>*>(filled.pattern.begin());
  }
}

/// Copies global to shared memory. With 16 bytes whole lines come to L2, which is worth 2 % where rows begin anywhere in a line.
template <int bytes>
__device__ inline void copy_async(char* cell, const char* from) {
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(cell));
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes) : "memory");
  }
}

/// The buffers that a tile reads and writes. Known to be one of each, its pointers are loaded once.
template <Known known>
struct Buffers {
  const CudaSlots& slots;
  const char* src;
  char* dst;

  __device__ explicit Buffers(const CudaSlots& all) : slots(all), src(all.src[0]), dst(all.dst[0]) {}
  __device__ const char* source(std::int32_t slot) const {
    if constexpr ((known & tile::one_slot) != 0) return src;
    return slots.source(slot);
  }
  __device__ char* destination(std::int32_t slot) const {
    if constexpr ((known & tile::one_slot) != 0) return dst;
    return slots.destination(slot);
  }
};

/// Every thread decodes the block, or the first warp does where that is long or where all wait for tables anyway; all fill the tables of
/// the rows of both sides. Returns when they are there.
template <class Tile, class Rows>
__device__ inline tile::Block opened(const Tile& tile, std::uint32_t index, const Rows& in, int n_in, const Rows& out, int n_out,
                                     tile::Place* table) {
  __shared__ tile::Block shared_block;
  const bool is_alone = table == nullptr && tile.frame.n_grid <= tile::unrolled_digits;
  tile::Block block;
  if (is_alone || threadIdx.x < 32) block = tile.block(index);
  if (is_alone) return block;
  if (threadIdx.x == 0) shared_block = block;
  if (table != nullptr) {
    for (int r = static_cast<int>(threadIdx.x); r < n_in; r += static_cast<int>(blockDim.x))
      table[r] = in.at(static_cast<std::uint32_t>(r));
    for (int r = static_cast<int>(threadIdx.x); r < n_out; r += static_cast<int>(blockDim.x))
      table[n_in + r] = out.at(static_cast<std::uint32_t>(r));
  }
  __syncthreads();
  return shared_block;
}

}  // namespace crinkle::kernel
