// Two tiles of one array that change places: both are read before either is written.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda_forms.cuh"
#include "move/cuda_gathered.cuh"
#include "tile/exchange_tile.hpp"

namespace crinkle {
namespace {

template <int unit>
struct Exchanged {
  static constexpr int threads = 256, blocks = 3;
  using Tile = tile::ExchangeTile;
  __device__ static void move(const Tile& exchange, std::uint32_t index, const CudaSlots& slots, char* shared) {
    const std::uint32_t partner = exchange.partner(index);
    if (partner < index) return;
    const kernel::Buffers<0> buffers(slots);
    const auto own = kernel::opened_gathered<0>(exchange.tile, index, shared);
    kernel::read_gathered<unit>(exchange.tile, own, buffers);
    if (partner == index) {
      __syncthreads();
      return kernel::write_gathered<unit>(exchange.tile, own, buffers);
    }
    __syncthreads();  // until all have seen their own block
    const auto other = kernel::opened_gathered<0>(exchange.tile, partner, shared + exchange.partner_at());
    kernel::read_gathered<unit>(exchange.tile, other, buffers);
    __syncthreads();
    kernel::write_gathered<unit>(exchange.tile, own, buffers);
    kernel::write_gathered<unit>(exchange.tile, other, buffers);
  }
};

}  // namespace

const void* exchange_kernel(int unit) {
  return kernel::of_unit(unit, [](auto bytes) { return kernel::kernel_of<Exchanged<bytes>>(); });
}

}  // namespace crinkle
