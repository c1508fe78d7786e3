// Lines of float32 whose butterflies of few numbers read memory, write it, or both.
// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/direct.cuh"

namespace crinkle::fft {

template const void* direct_few_kernel<float>(bool reads, bool writes);

}  // namespace crinkle::fft
