// Lines of float32 whose butterflies of many numbers read memory and write it.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/direct.cuh"

namespace crinkle::fft {

template const void* direct_most_kernel<float>();

}  // namespace crinkle::fft
