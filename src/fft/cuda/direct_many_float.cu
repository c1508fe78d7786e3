// Lines of float32 with radices above most_held, whose butterflies read memory and write it.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/direct.cuh"

namespace crinkle::fft {

template const void* direct_many_kernel<float>();

}  // namespace crinkle::fft
