// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_transposed.cuh"

#include "move/cuda_kernels.hpp"

namespace crinkle {
namespace {

constexpr tile::Known simple = tile::even_rows | tile::one_run | tile::one_slot;

template <int unit, tile::Known known>
__global__ void __launch_bounds__(256) transposed(const __grid_constant__ tile::TransposedTileOf<tile::Small> tile, std::uint32_t first,
                                                  const __grid_constant__ CudaSlots slots) {
  extern __shared__ __align__(128) char shared[];
  kernel::move_transposed<unit, known>(tile, first + blockIdx.x, slots, shared);
}

template <int unit>
const void* kernel_of(tile::Known known) {
  if ((known & simple) == simple) return reinterpret_cast<const void*>(&transposed<unit, simple>);
  return reinterpret_cast<const void*>(&transposed<unit, 0>);
}

}  // namespace

const void* transposed_kernel(int unit, tile::Known known) {
  switch (unit) {
    case 1: return kernel_of<1>(known);
    case 2: return kernel_of<2>(known);
    case 4: return kernel_of<4>(known);
    case 8: return kernel_of<8>(known);
    default: return kernel_of<16>(known);
  }
}

}  // namespace crinkle
