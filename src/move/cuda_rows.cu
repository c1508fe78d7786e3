// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_rows.cuh"

#include "move/cuda_kernels.hpp"

namespace crinkle {
namespace {

template <int unit>
__global__ void __launch_bounds__(256)
    rows(const __grid_constant__ tile::RowTileOf<tile::Small> tile, std::uint32_t first, const __grid_constant__ CudaSlots slots) {
  kernel::move_rows<unit>(tile, first + blockIdx.x, slots);
}

}  // namespace

const void* rows_kernel(int unit) {
  switch (unit) {
    case 1: return reinterpret_cast<const void*>(&rows<1>);
    case 2: return reinterpret_cast<const void*>(&rows<2>);
    case 4: return reinterpret_cast<const void*>(&rows<4>);
    case 8: return reinterpret_cast<const void*>(&rows<8>);
    default: return reinterpret_cast<const void*>(&rows<16>);
  }
}

}  // namespace crinkle
