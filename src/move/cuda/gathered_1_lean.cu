// Gathered tiles of single bytes in rows that are read as the vectors that cover them.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<1, tile::gathered::lean>();
template const void* gathered_kernel_of<1, tile::gathered::lean_straight>();

}  // namespace crinkle::kernel
