// SPDX-License-Identifier: BSD-3-Clause
#include "suites/stencil_examples.hpp"

#include "cuda/runtime.hpp"
#include "examples/cavity.cuh"
#include "examples/ising.cuh"

namespace crinkle::bench {

void flip_on_gpu(ising::Lattice<1, 1>& lattice, double temperature, CUstream_st* stream) {
  lattice.flip(temperature, ising::InKernels{stream});
  gpu::check_status(cudaGetLastError(), "a sweep of spins");
}

void step_on_gpu(cavity::Fields& fields, CUstream_st* stream) {
  fields.step(cavity::InKernels{stream});
  gpu::check_status(cudaGetLastError(), "a step of a flow");
}

}  // namespace crinkle::bench
