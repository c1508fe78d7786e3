// Gathered tiles of single bytes that grant nothing.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<1, 0>();

}  // namespace crinkle::kernel
