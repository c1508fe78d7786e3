// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_transposed.cuh"

#include "move/cuda_forms.cuh"

namespace crinkle {
namespace {

constexpr tile::Known tabled = tile::one_run | tile::one_slot;
constexpr tile::Known simple = tabled | tile::even_rows;

template <int unit, tile::Known known>
struct Transposed {
  static constexpr int threads = 256, blocks = unit >= 4 ? 5 : unit == 2 ? 3 : 2;
  using Tile = tile::TransposedTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
    kernel::move_transposed<unit, known>(tile, index, slots, shared);
  }
};

template <int unit>
const void* best_of(tile::Known known) {
  if ((known & simple) == simple) return kernel::kernel_of<Transposed<unit, simple>, Transposed<unit, 0>>();
  if ((known & tabled) == tabled) return kernel::kernel_of<Transposed<unit, tabled>, Transposed<unit, 0>>();
  return kernel::kernel_of<Transposed<unit, 0>>();
}

}  // namespace

const void* transposed_kernel(int unit, tile::Known known) {
  switch (unit) {
    case 1: return best_of<1>(known);
    case 2: return best_of<2>(known);
    case 4: return best_of<4>(known);
    case 8: return best_of<8>(known);
    default: return best_of<16>(known);
  }
}

}  // namespace crinkle
