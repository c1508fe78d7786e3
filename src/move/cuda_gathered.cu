// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_gathered.cuh"

#include "move/cuda_forms.cuh"

namespace crinkle {
namespace {

// Evenly spaced rows and plain runs; of whole pieces on both sides as well; or of a run that is read as the vectors that cover it.
constexpr tile::Known plain = tile::even_rows | tile::contiguous | tile::wide | tile::one_slot;
constexpr tile::Known whole = plain | tile::aligned | tile::exact;
constexpr tile::Known tabled = whole & ~tile::even_rows;
constexpr tile::Known lean = plain | tile::one_run | tile::superset;
constexpr tile::Known leaning = plain | tile::one_run | tile::exact;

template <int unit, tile::Known known>
struct Gathered {
  static constexpr int threads = 256, blocks = 5;
  using Tile = tile::GatheredTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
    kernel::move_gathered<unit, known>(tile, index, slots, shared);
  }
};

template <int unit>
const void* best_of(tile::Known known) {
  const auto knows = [known](tile::Known k) { return (known & k) == k; };
  using General = Gathered<unit, 0>;
  if (knows(whole)) return kernel::kernel_of<Gathered<unit, whole>, General>();
  if (knows(tabled)) return kernel::kernel_of<Gathered<unit, tabled>, General>();
  if constexpr (unit < 16) {
    constexpr tile::Known straight = lean | tile::straight;
    if (knows(straight)) return kernel::kernel_of<Gathered<unit, straight>, General>();
    if (knows(lean)) return kernel::kernel_of<Gathered<unit, lean>, General>();
    if (knows(leaning)) return kernel::kernel_of<Gathered<unit, leaning>, General>();
  }
  return kernel::kernel_of<General>();
}

}  // namespace

const void* gathered_kernel(int unit, tile::Known known) {
  return kernel::of_unit(unit, [known](auto bytes) { return best_of<bytes>(known); });
}

}  // namespace crinkle
