// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cuda/near_sums.cuh"

namespace crinkle::interpolation {

void launch_near(int n_dimensions, const CudaTree& tree, const CudaTargets& targets, const CudaTiles& tiles, const CudaValues& values,
                 CUstream_st* stream) {
  kernel::launch_near_sums<kernel::AllSamples>(n_dimensions, tree, targets, tiles, values, stream, {});
}

}  // namespace crinkle::interpolation
