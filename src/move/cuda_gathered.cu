// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_gathered.cuh"

#include "move/cuda_kernels.hpp"

namespace crinkle {
namespace {

// Evenly spaced rows and plain runs; of whole pieces on both sides as well; or of a run that is read as the vectors that cover it.
constexpr tile::Known plain = tile::even_rows | tile::contiguous | tile::wide | tile::one_slot;
constexpr tile::Known whole = plain | tile::aligned | tile::exact;
constexpr tile::Known lean = plain | tile::one_run | tile::superset;

template <int unit, tile::Known known>
__global__ void __launch_bounds__(256, 5) gathered(const __grid_constant__ tile::GatheredTileOf<tile::Small> tile, std::uint32_t first,
                                                   const __grid_constant__ CudaSlots slots) {
  extern __shared__ __align__(128) char shared[];
  kernel::move_gathered<unit, known>(tile, first + blockIdx.x, slots, shared);
}

template <int unit>
const void* kernel_of(tile::Known known) {
  const auto knows = [known](tile::Known k) { return (known & k) == k; };
  if (knows(whole)) return reinterpret_cast<const void*>(&gathered<unit, whole>);
  if constexpr (unit < 16) {
    constexpr tile::Known straight = lean | tile::straight;
    if (knows(straight)) return reinterpret_cast<const void*>(&gathered<unit, straight>);
    if (knows(lean)) return reinterpret_cast<const void*>(&gathered<unit, lean>);
  }
  return reinterpret_cast<const void*>(&gathered<unit, 0>);
}

}  // namespace

const void* gathered_kernel(int unit, tile::Known known) {
  switch (unit) {
    case 1: return kernel_of<1>(known);
    case 2: return kernel_of<2>(known);
    case 4: return kernel_of<4>(known);
    case 8: return kernel_of<8>(known);
    default: return kernel_of<16>(known);
  }
}

}  // namespace crinkle
