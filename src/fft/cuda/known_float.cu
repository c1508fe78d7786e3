// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/known_kernels.cuh"

namespace crinkle::fft {

template const void* known_kernel(const CudaLines<float>&);
template void allow_known(const CudaLines<float>&, int);

}  // namespace crinkle::fft
