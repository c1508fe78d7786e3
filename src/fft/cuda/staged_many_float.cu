// Lines of float32 with radices above most_held that go through shared memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/lines.cuh"

namespace crinkle::fft {

const void* staged_many_kernel() { return reinterpret_cast<const void*>(&kernel::staged_lines<float, true, many_held>); }

}  // namespace crinkle::fft
