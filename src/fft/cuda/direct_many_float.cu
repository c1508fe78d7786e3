// Lines of float32 with radices above most_held, whose butterflies read memory and write it.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/lines.cuh"

namespace crinkle::fft {

const void* direct_many_kernel() { return reinterpret_cast<const void*>(&kernel::direct_lines<float, many_held, true, true>); }

}  // namespace crinkle::fft
