// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_rows.cuh"

#include "move/cuda_forms.cuh"

namespace crinkle {
namespace {

template <int unit>
struct Rows {
  static constexpr int threads = 256, blocks = 4;
  template <class Room>
  using Tile = tile::RowTileOf<Room>;
  template <class Room>
  __device__ static void move(const tile::RowTileOf<Room>& tile, std::uint32_t index, const CudaSlots& slots, char*) {
    kernel::move_rows<unit>(tile, index, slots);
  }
};

struct Plain {
  static constexpr int threads = 256, blocks = 6;
  template <class Room>
  using Tile = tile::RowTileOf<Room>;
  template <class Room>
  __device__ static void move(const tile::RowTileOf<Room>& tile, std::uint32_t index, const CudaSlots& slots, char*) {
    kernel::move_plain_rows(tile, index, slots);
  }
};

}  // namespace

CudaKernels rows_kernels(int unit, bool is_plain) {
  switch (unit) {
    case 1: return kernel::forms_of<Rows<1>>();
    case 2: return kernel::forms_of<Rows<2>>();
    case 4: return kernel::forms_of<Rows<4>>();
    case 8: return kernel::forms_of<Rows<8>>();
    default: return is_plain ? kernel::forms_of<Plain>() : kernel::forms_of<Rows<16>>();
  }
}

}  // namespace crinkle
