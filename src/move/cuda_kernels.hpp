// The kernels of moves on a GPU, by what they are compiled for. A launch is one tile, which is the kernel's first parameter, or a table of
// tiles of any kind; then comes the number of the launch's first block, and the buffers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "move/cuda_slots.hpp"
#include "tile/shape.hpp"

namespace crinkle {

/// One tile of a table: the block it begins with, and where it lies among those of its kind.
struct CudaHead {
  std::uint32_t first_block = 0;
  tile::Kind kind = tile::Kind::rows;
  std::int32_t at = 0;
};

/// In the device's memory.
template <class Room>
struct CudaTable {
  const CudaHead* heads = nullptr;
  std::int32_t n_heads = 0;
  const tile::RowTileOf<Room>* rows = nullptr;
  const tile::TransposedTileOf<Room>* transposed = nullptr;
  const tile::GatheredTileOf<Room>* gathered = nullptr;
};

// Kernels, as cudaLaunchKernel takes them. The most specialised one whose `known` the tile grants is taken.
const void* rows_kernel(int unit);                              // (RowTileOf<Small>, first block, CudaSlots)
const void* transposed_kernel(int unit, tile::Known known);     // (TransposedTileOf<Small>, first block, CudaSlots)
const void* gathered_kernel(int unit, tile::Known known);       // (GatheredTileOf<Small>, first block, CudaSlots)
const void* table_kernel(int unit, bool is_large);              // (CudaTable<Small or Large>, first block, CudaSlots)

}  // namespace crinkle
