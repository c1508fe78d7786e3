// Two tiles of one array that change places: both are read before either is written. Other blocks may read bytes of these tiles that lie
// beside their own in a vector or a sector, at any time, and use none of them: what a block uses only that block writes, so it may be read
// through the read-only path, too.
// Each kernel takes long to compile: exchange_1.cu and exchange_2.cu have those of narrow units, exchange.cu the others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cuda/forms.cuh"
#include "move/cuda/gathered.cuh"
#include "tile/exchange_tile.hpp"

namespace crinkle::kernel {

template <int unit>
struct Exchanged {
  static constexpr int threads = 256, blocks = 3;
  using Tile = tile::ExchangeTile;
  __device__ static void move(const Tile& exchange, std::uint32_t index, const CudaSlots& slots, char* shared) {
    __shared__ tile::Block blocks[2];  // its own, its partner's
    const std::uint32_t partner = exchange.partner(index);
    if (partner < index) return;
    const auto& tile = exchange.tile;
    const Buffers<0> buffers(slots);
    Opened open = opened_gathered<0>(tile, index, shared);
    if (threadIdx.x < 32) {
      const tile::Block decoded = tile.block(partner);
      if (threadIdx.x == 0) blocks[0] = open.block, blocks[1] = decoded;
    }
    __syncthreads();
    const int n = partner == index ? 1 : 2;
#pragma unroll 1
    for (int k = 0; k < n; ++k) read_gathered<unit>(tile, of(open, blocks, k, exchange.partner_at(), shared), buffers);
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < n; ++k) write_gathered<unit>(tile, of(open, blocks, k, exchange.partner_at(), shared), buffers);
  }

 private:
  __device__ static const Opened& of(Opened& open, const tile::Block* blocks, int k, std::int32_t partner_at, char* shared) {
    open.block = blocks[k];
    open.shared = shared + k * partner_at;
    return open;
  }
};

template <int unit>
const void* exchange_kernel_of() {
  return kernel_of<Exchanged<unit>>();
}
extern template const void* exchange_kernel_of<1>();
extern template const void* exchange_kernel_of<2>();

}  // namespace crinkle::kernel
