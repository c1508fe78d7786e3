// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/records.cuh"

#include "move/cuda/forms.cuh"

namespace crinkle {
namespace {

template <int unit>
struct Records {
  static constexpr int threads = tile::RecordTile::threads_of(unit), blocks = unit == 1 ? 6 : 4;
  using Tile = tile::RecordTile;
  __device__ static void move(const Tile& tile, std::uint32_t index, const CudaSlots& slots, char* shared) {
    kernel::move_records<unit>(tile, index, slots, shared);
  }
};

}  // namespace

const void* records_kernel(int unit) {
  return kernel::of_unit(unit, [](auto bytes) { return kernel::kernel_of<Records<bytes>>(); });
}

}  // namespace crinkle
