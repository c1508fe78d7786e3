// The kernels of moves on a GPU, by what they are compiled for, as cudaLaunchKernel takes them. Parameters: the first tile; first blocks of
// the further tiles, in the device's memory, how many tiles and how many blocks they are, and those tiles, in its memory, too; the number
// of the launch's first block; CudaSlots. A launch with further tiles has shared memory for one of them in front of what its blocks need.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "move/cuda/slots.hpp"
#include "tile/frame.hpp"

namespace crinkle {

template <class Tile>
CRINKLE_HD constexpr std::int32_t shared_bytes_of_tile() {
  return (static_cast<std::int32_t>(sizeof(Tile)) + 127) / 128 * 128;
}

// The most specialised one whose `known` the first tile grants.
const void* rows_kernel(int unit, bool is_plain, tile::Known known);
const void* segmented_kernel(int unit);
const void* records_kernel(int unit);
const void* transposed_kernel(int unit, tile::Known known);
const void* gathered_kernel(int unit, tile::Known known);
const void* exchange_kernel(int unit);
const void* units_kernel(bool is_exchange);
const void* small_kernel(int unit, int each);

}  // namespace crinkle
