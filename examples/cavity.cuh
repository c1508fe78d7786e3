// The stencils of cavity.hpp in a kernel, a cell a thread: what cavity.cu and the suite `stencil` of the benchmark step with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cavity.hpp"

namespace cavity {

template <class Stencil>
__global__ void sweep(const __grid_constant__ Stencil stencil, const __grid_constant__ Fields::Field out) {
  const crinkle::Array<std::int64_t, 2> index{static_cast<std::int64_t>(blockIdx.y * blockDim.y + threadIdx.y),
                                              static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x)};
  if (index[0] < out.extents[0] && index[1] < out.extents[1]) *out.at(index) = stencil.cell(index);
}

/// What Fields::step sweeps with; given to the stream, not waited for.
struct InKernels {
  cudaStream_t stream = nullptr;

  template <class Stencil>
  void operator()(const Stencil& stencil, const Fields::Field& out) const {
    const auto n = static_cast<unsigned>(out.extents[0]);
    sweep<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8), 0, stream>>>(stencil, out);
  }
};

}  // namespace cavity
