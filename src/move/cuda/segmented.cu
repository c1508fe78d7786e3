// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/segmented.cuh"

#include "move/cuda/forms.cuh"

namespace crinkle {
namespace {

template <int unit>
struct Segmented {
  static constexpr int threads = 256, blocks = 5;
  using Tile = tile::SegmentedTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
    kernel::move_segmented<unit>(tile, index, slots, shared);
  }
};

}  // namespace

const void* segmented_kernel(int unit) {
  return kernel::of_unit(unit, [](auto bytes) { return kernel::kernel_of<Segmented<bytes>>(); });
}

}  // namespace crinkle
