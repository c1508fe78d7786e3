// Mapped axes by kernels of the library. SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/mapped.cuh"

#include "move/cuda/ahead.hpp"

namespace crinkle {
namespace {

template <int unit>
__global__ void __launch_bounds__(tile::FewMaps::threads, 4)
    mapped(std::uint32_t first, const __grid_constant__ tile::Sources sources, char* __restrict__ dst, const char*,
           const __grid_constant__ tile::FewMaps maps) {
  __shared__ kernel::LatePieces late;
  kernel::move_mapped<unit, std::uint32_t>(maps, first + blockIdx.x, sources, dst, late);
}

}  // namespace

const void* mapped_kernel(int unit) {
  switch (unit) {
    case 1: return reinterpret_cast<const void*>(&mapped<1>);
    case 2: return reinterpret_cast<const void*>(&mapped<2>);
    case 4: return reinterpret_cast<const void*>(&mapped<4>);
    case 8: return reinterpret_cast<const void*>(&mapped<8>);
    default: return reinterpret_cast<const void*>(&mapped<16>);
  }
}

}  // namespace crinkle
