// Gathered tiles of single bytes in contiguous runs.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<1, tile::gathered::alike>();
template const void* gathered_kernel_of<1, tile::gathered::by_table>();

}  // namespace crinkle::kernel
