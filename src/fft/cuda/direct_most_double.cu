// Lines of float64 whose butterflies of many numbers read memory and write it.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/direct.cuh"

namespace crinkle::fft {

template const void* direct_most_kernel<double>();

}  // namespace crinkle::fft
