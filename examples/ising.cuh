// The stencils of ising.hpp in a kernel, four spins a thread: what ising.cu and the suite `stencil` of the benchmark flip with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ising.hpp"

namespace ising {

using Plane = crinkle::StencilField<Spin, 2>;

// Requires rows of a multiple of 4 spins.
template <class Stencil>
__global__ void flip_four(const __grid_constant__ Stencil stencil, const __grid_constant__ Plane out) {
  const crinkle::Array<std::int64_t, 2> first{static_cast<std::int64_t>(blockIdx.y * blockDim.y + threadIdx.y),
                                              4 * static_cast<std::int64_t>(blockIdx.x * blockDim.x + threadIdx.x)};
  if (first[0] >= out.extents[0] || first[1] >= out.extents[1]) return;
  const crinkle::Array<std::int64_t, 2> last{first[0], first[1] + 3};
  char4 made;
  if (stencil.is_inside(first) && stencil.is_inside(last)) {
    const auto from = stencil.inputs().moved(first);
    made = {stencil.template cell_inside<true>(from, first, 0), stencil.template cell_inside<true>(from, first, 1),
            stencil.template cell_inside<true>(from, first, 2), stencil.template cell_inside<true>(from, first, 3)};
  } else {
    made = {stencil.cell(first), stencil.cell({first[0], first[1] + 1}), stencil.cell({first[0], first[1] + 2}), stencil.cell(last)};
  }
  *reinterpret_cast<char4*>(out.at(first)) = made;
}

/// What Lattice::flip sweeps with; given to the stream, not waited for. Requires extents of a multiple of 4 spins.
struct InKernels {
  cudaStream_t stream = nullptr;

  template <class Stencil>
  void operator()(const Stencil& stencil, const Plane& out) const {
    const dim3 threads(64, 4),
        blocks(static_cast<unsigned>((out.extents[1] / 4 + 63) / 64), static_cast<unsigned>((out.extents[0] + 3) / 4));
    flip_four<<<blocks, threads, 0, stream>>>(stencil, out);
  }
};

}  // namespace ising
