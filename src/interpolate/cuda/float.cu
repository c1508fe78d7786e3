// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/sum.cuh"

namespace crinkle::interpolation {

template void launch_sum<float>(int, CudaRule, bool, const CudaSamples&, const CudaScaled<float>&, const CudaTargets&, const CudaValues&,
                                CUstream_st*);

}  // namespace crinkle::interpolation
