// Gathered tiles of single bytes in rows that are read at multiples of vectors.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<1, tile::gathered::whole>();
template const void* gathered_kernel_of<1, tile::gathered::exactly>();

}  // namespace crinkle::kernel
