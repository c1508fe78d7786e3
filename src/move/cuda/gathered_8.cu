// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle::kernel {

template const void* gathered_kernel_of<8>(Known granted);

}  // namespace crinkle::kernel
