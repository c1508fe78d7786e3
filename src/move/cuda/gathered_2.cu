// Gathered tiles of units of 2 bytes that grant nothing, or contiguous runs.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<2, 0>();
template const void* gathered_kernel_of<2, tile::gathered::alike>();
template const void* gathered_kernel_of<2, tile::gathered::by_table>();

}  // namespace crinkle::kernel
