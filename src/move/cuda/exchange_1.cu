// The kernel that exchanges tiles of single bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/exchange.cuh"

namespace crinkle::kernel {

template const void* exchange_kernel_of<1>();

}  // namespace crinkle::kernel
