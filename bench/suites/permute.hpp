// The suite `permute`: every case of a file, checked, then timed in turns with the plain copies of as many bytes between the same buffers
// on the same threads. Other suites are lists of cases, too, with what they set beside them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "suites/cases.hpp"
#include "suites/effort.hpp"
#include "suites/operation.hpp"
#include "suites/report.hpp"
#include "suites/runner.hpp"

namespace crinkle::bench {

/// A case whose arrays fit, its extents halved as often as it takes.
struct Fitted {
  Case c;
  ArrayBytes bytes;
  std::int64_t larger() const { return std::max(bytes.source, bytes.destination); }
};
Fitted fitted(const Case& asked, const MakeSpecMap& make_map, std::int64_t memory_bytes);

/// What a suite sets beside its cases.
struct Beside {
  /// Other ways to a case's result, from the source to the destination, where the runner runs. They are checked as the move is.
  std::function<std::vector<std::pair<std::string, RunMove>>(const Fitted&, const Runner&)> rivals = {};
  std::function<void(const Fitted&, Row&)> finish = {};  // before the row is reported
  bool are_rivals_timed_cold = true;                     // on a GPU; not where what they cost is the host's, which a cold run hides
};

/// 40 % of the memory that is available, and at most 2 GiB: 1 GiB an array.
std::int64_t default_memory_bytes();

/// Cases too large for the memory have their longest extent halved until they fit. Throws too_large for one that never does, and
/// std::runtime_error, naming the case and the byte, when a result is wrong.
void run_permute(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed, Executor& executor,
                 Report& report, const MakePlan& make_plan = estimated_plan, const Beside& beside = {});

/// The same on a CUDA device, which must be there, beside the driver's copy on it and a kernel's. Bit planes, which are not moved by plans,
/// are left out, and said so. Throws what run_permute and cuda() throw; unsupported in a build without CUDA.
void run_permute_on_gpu(const std::vector<Case>& cases, const MakeSpecMap& make_map, const Effort& effort, std::uint64_t seed,
                        Device device, Report& report, const Beside& beside = {});

}  // namespace crinkle::bench
