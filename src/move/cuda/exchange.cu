// The kernels that exchange tiles, of units of 4 bytes or more, and which one a unit has.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/exchange.cuh"

namespace crinkle {

const void* exchange_kernel(int unit) {
  return kernel::of_unit(unit, [](auto bytes) { return kernel::exchange_kernel_of<bytes>(); });
}

}  // namespace crinkle
