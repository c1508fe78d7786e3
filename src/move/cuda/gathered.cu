// Which kernel moves a gathered tile; they are compiled in gathered_*.cu.
// SPDX-License-Identifier: BSD-3-Clause
#include "move/cuda/forms.cuh"
#include "tile/gathered_known.hpp"

namespace crinkle {
namespace kernel {

template <int unit, tile::Known known>
const void* gathered_kernel_of();

}  // namespace kernel

const void* gathered_kernel(int unit, tile::Known granted) {
  return kernel::of_unit(unit, [granted](auto bytes) {
    return tile::gathered::with_best<bytes>(
        granted, [](auto known) { return kernel::gathered_kernel_of<decltype(bytes)::value, decltype(known)::value>(); });
  });
}

}  // namespace crinkle
