// All tiles of a step that have one unit, of any kind, in one launch: a block looks up whose it is.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_gathered.cuh"
#include "move/cuda_kernels.hpp"
#include "move/cuda_rows.cuh"
#include "move/cuda_transposed.cuh"

namespace crinkle {
namespace {

/// The last head that begins at or before the block. A warp asks 32 at a time.
__device__ int head_of(const CudaHead* heads, int n, std::uint32_t block) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  int first = 0;
  while (n > 1) {
    const int step = (n + 31) / 32, at = lane * step;
    const bool is_at_or_before = at < n && heads[first + at].first_block <= block;
    const int taken = (__popc(__ballot_sync(0xFFFFFFFFu, is_at_or_before)) - 1) * step;
    first += taken;
    n = n - taken < step ? n - taken : step;
  }
  return first;
}

template <int unit, class Room>
__global__ void __launch_bounds__(256)
    table(const __grid_constant__ CudaTable<Room> all, std::uint32_t first, const __grid_constant__ CudaSlots slots) {
  extern __shared__ __align__(128) char shared[];
  const std::uint32_t block = first + blockIdx.x;
  const CudaHead head = all.heads[head_of(all.heads, all.n_heads, block)];
  const std::uint32_t index = block - head.first_block;
  switch (head.kind) {
    case tile::Kind::rows: return kernel::move_rows<unit>(all.rows[head.at], index, slots);
    case tile::Kind::transposed: return kernel::move_transposed<unit, 0>(all.transposed[head.at], index, slots, shared);
    case tile::Kind::gathered: return kernel::move_gathered<unit, 0>(all.gathered[head.at], index, slots, shared);
  }
}

template <int unit>
const void* kernel_of(bool is_large) {
  if (is_large) return reinterpret_cast<const void*>(&table<unit, tile::Large>);
  return reinterpret_cast<const void*>(&table<unit, tile::Small>);
}

}  // namespace

const void* table_kernel(int unit, bool is_large) {
  switch (unit) {
    case 1: return kernel_of<1>(is_large);
    case 2: return kernel_of<2>(is_large);
    case 4: return kernel_of<4>(is_large);
    case 8: return kernel_of<8>(is_large);
    default: return kernel_of<16>(is_large);
  }
}

}  // namespace crinkle
