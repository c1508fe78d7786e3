// Gathered tiles of units of 16 bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<16, 0>();
template const void* gathered_kernel_of<16, tile::gathered::alike>();
template const void* gathered_kernel_of<16, tile::gathered::whole>();

}  // namespace crinkle::kernel
