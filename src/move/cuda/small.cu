// Small moves: one unit a thread and step, all of a thread's under way at once. SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/forms.cuh"
#include "move/cuda/words.cuh"
#include "tile/small_tile.hpp"

namespace crinkle {
namespace {

template <int unit, int n_each>
struct Small {
  static constexpr int threads = tile::SmallTile::threads, blocks = 4;
  using Tile = tile::SmallTile;
  using Word = kernel::Word<unit>;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char*) {
    Word v[n_each];    // [n_each]
    char* to[n_each];  // [n_each]
#pragma unroll
    for (int e = 0; e < n_each; ++e) {
      const std::uint32_t k = tile.number<n_each>(index, static_cast<int>(threadIdx.x), e);
      to[e] = nullptr;
      if (k >= tile.n_units) continue;
      const Tile::Place place = tile.place(k);
      to[e] = slots.dst[0] + place.dst;
      v[e] = kernel::load<Word>(slots.src[0] + place.src);
    }
#pragma unroll
    for (int e = 0; e < n_each; ++e)
      if (to[e] != nullptr) kernel::store(to[e], v[e]);
  }
};

}  // namespace

const void* small_kernel(int unit, int each) {
  return kernel::of_unit(unit, [each](auto bytes) {
    return each == 1 ? kernel::kernel_of<Small<bytes, 1>>() : kernel::kernel_of<Small<bytes, tile::SmallTile::most_each>>();
  });
}

}  // namespace crinkle
