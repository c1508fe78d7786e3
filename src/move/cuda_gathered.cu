// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_gathered.cuh"

#include "move/cuda_forms.cuh"

namespace crinkle {
namespace {

// Contiguous runs of whole vectors between two buffers: of cells that move alike; in rows that are evenly spaced as well, read at multiples
// of vectors, and perhaps written so, or as the vectors that cover them; and of cells that are looked up.
constexpr tile::Known runs = tile::contiguous | tile::wide | tile::one_slot;
constexpr tile::Known alike = runs | tile::fixed;
constexpr tile::Known exact = alike | tile::even_rows | tile::exact;
constexpr tile::Known whole = exact | tile::aligned;
constexpr tile::Known lean = alike | tile::even_rows | tile::superset;
constexpr tile::Known looked_up = runs | tile::looked_up;

template <int unit, tile::Known known>
struct Gathered {
  // Where single bytes lie anywhere, sixteen cells a piece need the registers (odd extents 0.80 of a copy, with five blocks 0.79).
  static constexpr int threads = 256, blocks = unit == 1 && (known & tile::superset) != 0 ? 4 : 5;
  using Tile = tile::GatheredTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
    kernel::move_gathered<unit, known | tile::of_unit(unit)>(tile, index, slots, shared);
  }
};

template <int unit>
const void* best_of(tile::Known known) {
  const auto knows = [known](tile::Known k) { return (known & k) == k; };
  using General = Gathered<unit, 0>;
  if (knows(whole)) return kernel::kernel_of<Gathered<unit, whole>, General>();
  if constexpr (unit < 16) {
    if (knows(exact)) return kernel::kernel_of<Gathered<unit, exact>, General>();
    if (knows(lean | tile::straight)) return kernel::kernel_of<Gathered<unit, lean | tile::straight>, General>();
    if (knows(lean)) return kernel::kernel_of<Gathered<unit, lean>, General>();
    if (knows(looked_up)) return kernel::kernel_of<Gathered<unit, looked_up>, General>();
  }
  if (knows(alike)) return kernel::kernel_of<Gathered<unit, alike>, General>();
  return kernel::kernel_of<General>();
}

}  // namespace

const void* gathered_kernel(int unit, tile::Known known) {
  return kernel::of_unit(unit, [known](auto bytes) { return best_of<bytes>(known); });
}

}  // namespace crinkle
