// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/gathered_kernels.cuh"

namespace crinkle {
namespace kernel {

extern template const void* gathered_kernel_of<1>(Known granted);
extern template const void* gathered_kernel_of<2>(Known granted);
extern template const void* gathered_kernel_of<4>(Known granted);
extern template const void* gathered_kernel_of<8>(Known granted);
extern template const void* gathered_kernel_of<16>(Known granted);

}  // namespace kernel

const void* gathered_kernel(int unit, tile::Known known) {
  return kernel::of_unit(unit, [known](auto bytes) { return kernel::gathered_kernel_of<bytes>(known); });
}

}  // namespace crinkle
