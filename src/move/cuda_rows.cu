// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_rows.cuh"

#include "move/cuda_forms.cuh"

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

struct Plain {
  static constexpr int threads = 256, blocks = 6;
  using Tile = tile::RowTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char*) {
    kernel::move_plain_rows(tile, index, slots);
  }
};

}  // namespace

const void* rows_kernel(int unit, bool is_plain) {
  switch (unit) {
    case 1: return kernel::kernel_of<Rows<1>>();
    case 2: return kernel::kernel_of<Rows<2>>();
    case 4: return kernel::kernel_of<Rows<4>>();
    case 8: return kernel::kernel_of<Rows<8>>();
    default: return is_plain ? kernel::kernel_of<Plain>() : kernel::kernel_of<Rows<16>>();
  }
}

}  // namespace crinkle
