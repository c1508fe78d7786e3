// Gathered tiles of units of 8 bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<8, 0>();
template const void* gathered_kernel_of<8, tile::gathered::alike>();
template const void* gathered_kernel_of<8, tile::gathered::by_table>();
template const void* gathered_kernel_of<8, tile::gathered::whole>();
template const void* gathered_kernel_of<8, tile::gathered::exactly>();
template const void* gathered_kernel_of<8, tile::gathered::lean>();
template const void* gathered_kernel_of<8, tile::gathered::lean_straight>();

}  // namespace crinkle::kernel
