// The kernels of moves on a GPU, by what they are compiled for: as cudaLaunchKernel takes them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "move/cuda_slots.hpp"
#include "tile/shape.hpp"

namespace crinkle {

struct CudaKernels {
  const void* of_tile = nullptr;   // (a small tile, number of the launch's first block, CudaSlots)
  const void* of_table = nullptr;  // (first blocks of the tiles, how many, large tiles, then the same)
};

// The most specialised ones whose `known` the tile grants.
CudaKernels rows_kernels(int unit, bool is_plain);
CudaKernels segmented_kernels(int unit);
CudaKernels transposed_kernels(int unit, tile::Known known);
CudaKernels gathered_kernels(int unit, tile::Known known);

}  // namespace crinkle
