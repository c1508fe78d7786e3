// Marches of float64.
// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/march_kernels.cuh"

namespace crinkle {

template bool allow_march<double>(const March& march, int device);
template void launch_march(const CudaStage<double>& stage, const March& march, const std::byte* in, std::byte* out, CUstream_st* stream);

}  // namespace crinkle
