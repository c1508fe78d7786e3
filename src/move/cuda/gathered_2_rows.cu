// Gathered tiles of units of 2 bytes in rows that are evenly spaced.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<2, tile::gathered::whole>();
template const void* gathered_kernel_of<2, tile::gathered::exactly>();
template const void* gathered_kernel_of<2, tile::gathered::lean>();
template const void* gathered_kernel_of<2, tile::gathered::lean_straight>();

}  // namespace crinkle::kernel
