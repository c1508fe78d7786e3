// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/rows.cuh"

#include "move/cuda/forms.cuh"

namespace crinkle {
namespace {

template <int unit>
struct Rows {
  static constexpr int threads = 256, blocks = 5;
  using Tile = tile::RowTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char*) {
    kernel::move_rows<unit>(tile, index, slots);
  }
};

template <tile::Known known>
struct Plain {
  static constexpr int threads = 256, blocks = 6;
  using Tile = tile::RowTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char*) {
    kernel::move_plain_rows<known>(tile, index, slots);
  }
};

}  // namespace

const void* rows_kernel(int unit, bool is_plain, tile::Known known) {
  if (is_plain && (known & tile::one_slot) != 0) return kernel::kernel_of<Plain<tile::one_slot>>();
  if (is_plain) return kernel::kernel_of<Plain<0>>();
  return kernel::of_unit(unit, [](auto bytes) { return kernel::kernel_of<Rows<bytes>>(); });
}

}  // namespace crinkle
