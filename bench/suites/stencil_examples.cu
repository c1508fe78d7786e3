// SPDX-License-Identifier: BSD-3-Clause
#include "suites/stencil_examples.hpp"

#include "crinkle/stencil_loops.cuh"

namespace crinkle::bench {

void flip_on_gpu(ising::Lattice<1, 1>& lattice, double temperature, CUstream_st* stream) {
  lattice.flip(temperature, [=](const auto& stencil, const auto& out) { sweep(stencil, out, stream); });
}

void step_on_gpu(cavity::Fields& fields, CUstream_st* stream) {
  fields.step([=](const auto& stencil, const auto& out) { sweep(stencil, out, stream); });
}

}  // namespace crinkle::bench
