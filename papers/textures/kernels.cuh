// Kernels of the suite `textures`. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "papers/textures/access.hpp"
#include "papers/textures/star_tile.hpp"

namespace crinkle::bench {

/// Table 4. Requires blocks of StarTile<r>::n_threads.
template <int r, class Inner, class Apron>
__global__ void star(Inner inner, Apron apron, const __grid_constant__ StarWeights<r> weights, float* dst, int width, int height) {
  __shared__ float cells[StarTile<r>::n_cells];
  const StarTile<r> tile(cells, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), width, height);
  const int thread = static_cast<int>(threadIdx.x);
  tile.load(thread, inner, apron);
  __syncthreads();
  tile.make(thread, weights, dst);
}

// Section 7.3, a cell a thread.

template <int axis, class Index, class Access>
__global__ void neighbours(Index index, Access access, float* dst) {
  const typename Index::Integer k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < index.total()) dst[k] = neighbour_of(index, k, axis, access);
}

/// Weights in the kernel's parameters, in constant memory, and in global memory.
struct WeightsInParameters {
  static constexpr const char* name = "parameters";
};
struct WeightsInConstant {
  static constexpr const char* name = "constant memory";
};
struct WeightsInGlobal {
  static constexpr const char* name = "global memory";
};
template <int rank>
__constant__ BlurWeights<rank> constant_weights;

template <class Where, class Index, class Access>
__global__ void blur(Index index, Access access, const __grid_constant__ BlurWeights<Index::rank> parameters,
                     const BlurWeights<Index::rank>* __restrict__ in_memory, float* dst) {
  const typename Index::Integer k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= index.total()) return;
  const auto of = [&](const Array<float, 2 * Index::rank + 1>& weights) { return blur_of(index, k, access, weights); };
  if constexpr (detail::Same<Where, WeightsInConstant>::value) dst[k] = of(constant_weights<Index::rank>.of);
  else if constexpr (detail::Same<Where, WeightsInGlobal>::value) dst[k] = of(in_memory->of);
  else dst[k] = of(parameters.of);
}

}  // namespace crinkle::bench
