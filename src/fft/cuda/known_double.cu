// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cuda/known_kernels.cuh"

namespace crinkle::fft {

template const void* known_kernel(const CudaLines<double>&);
template void allow_known(const CudaLines<double>&, int);

}  // namespace crinkle::fft
