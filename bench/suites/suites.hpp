// The suites that are lists of cases and what stands beside each case: run_permute and run_permute_on_gpu run them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "suites/permute.hpp"

namespace crinkle::bench {

// bench/cases/NAME.txt, as they were when the program was built.
extern const char* const rearrange_text;
extern const char* const records_text;
extern const char* const fused_text;

struct Suite {
  std::vector<Case> cases;
  Beside beside = {};
};

/// A CUDA library of data rearrangement kernels for the Tesla C1060 (paper 3): figure 1 and tables 1 to 3, its own fraction of its copy
/// beside each.
Suite rearrange_suite();

/// Conversions between layouts of records, paper 4's among them.
Suite records_suite();

/// Chains in one pass and step by step (fused.hpp).
Suite fused_suite(const MakeSpecMap& make_map);

/// Arrays of 1 KiB to 1 MiB: what a move costs with a plan that is there, with one from the cache of plans, and planned anew each time,
/// with full caches and with empty ones; and 1000 small arrays in one move, beside one by one.
Suite small_suite(const MakeSpecMap& make_map);

/// The transpose from 64² to 16384² float32; and the order of r axes reversed, r = 2 … 24, of 2^24 float32.
Suite sizes_suite();
/// Transpose, roll and record conversion of 64 MiB, as many threads as the executor has.
Suite threads_suite(int n_threads);

}  // namespace crinkle::bench
