// The kernel that exchanges tiles of units of 2 bytes.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/exchange.cuh"

namespace crinkle::kernel {

template const void* exchange_kernel_of<2>();

}  // namespace crinkle::kernel
