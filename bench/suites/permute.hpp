// The suite `permute`: every case of a file, checked, then timed in turns with the plain copies of as many bytes between the same buffers
// on the same threads. What is compared besides copies is one more contender.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "suites/cases.hpp"
#include "suites/operation.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {

struct Effort {
  int n_samples = 9;              // least_samples at least
  double limit_seconds = 10;      // of one case, samples beyond the seventh left out
  std::int64_t memory_bytes = 0;  // source and destination together
};

/// 40 % of the memory that is available, and at most 2 GiB: 1 GiB an array.
std::int64_t default_memory_bytes();

/// Cases too large for the memory have their longest extent halved until they fit. Throws too_large for one that never does, and
/// std::runtime_error, naming the case and the byte, when a result is wrong.
void run_permute(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed, Executor& executor,
                 Report& report, const MakePlan& make_plan = estimated_plan);

/// The same on a CUDA device, which must be there, beside the driver's copy on it. Operations that are not moved by plans are left out, and
/// said so. Throws what run_permute and cuda() throw; unsupported in a build without CUDA.
void run_permute_on_gpu(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed,
                        Device device, Report& report);

/// A case whose arrays fit, its extents halved as often as it takes.
struct Fitted {
  Case c;
  ArrayBytes bytes;
  std::int64_t larger() const { return std::max(bytes.source, bytes.destination); }
};
Fitted fitted(const Case& asked, const MakeSpecMap& make_map, std::int64_t memory_bytes);

}  // namespace crinkle::bench
