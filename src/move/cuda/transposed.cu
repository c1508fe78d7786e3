// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/transposed.cuh"

#include "move/cuda/forms.cuh"

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
  return kernel::of_unit(unit, [known](auto bytes) { return best_of<bytes>(known); });
}

}  // namespace crinkle
