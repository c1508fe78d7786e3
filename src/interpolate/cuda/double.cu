// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/sum.cuh"

namespace crinkle::interpolation {

template void launch_sum<double>(int, CudaRule, bool, const CudaSamples&, const CudaScaled<double>&, const CudaTargets&, const CudaValues&,
                                 CUstream_st*);

}  // namespace crinkle::interpolation
