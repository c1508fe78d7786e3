// Stencils of one's own for the suite `stencil`: the programs of examples/, whose lattice and flow it sweeps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "examples/cavity.hpp"
#include "examples/ising.hpp"
#include "harness/contest.hpp"

struct CUstream_st;

namespace crinkle::bench {

/// ising_n2048, … in flips a second (those that are tried), cavity_n1023, … in cells a second (of five sweeps a step).
std::vector<Entry> stencil_examples(bool is_gpu);

// Their sweeps on a GPU, given to the stream.
void flip_on_gpu(ising::Lattice<1, 1>& lattice, double temperature, CUstream_st* stream);
void step_on_gpu(cavity::Fields& fields, CUstream_st* stream);

}  // namespace crinkle::bench
