// The suite `copy`: what the plain copies reach at a few sizes, the ceilings of every other suite.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crinkle/executor.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {

/// "64MiB", "3KiB", "100B": the largest unit of which it is a whole number.
std::string short_bytes(std::int64_t n);

/// One row per size and kind of copy, named "interleaved_64MiB". Throws std::runtime_error when a copy is wrong.
void run_copy(const std::vector<std::int64_t>& n_bytes, int n_samples, std::uint64_t seed, Executor& executor, Report& report);

}  // namespace crinkle::bench
