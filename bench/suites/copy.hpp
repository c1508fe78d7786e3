// The suite `copy`: what the plain copies reach at a few sizes, the ceilings of every other suite.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/timing.hpp"
#include "crinkle/executor.hpp"
#include "suites/effort.hpp"
#include "suites/report.hpp"

namespace crinkle::bench {

/// "64MiB", "3KiB", "100B": the largest unit of which it is a whole number.
std::string short_bytes(std::int64_t n);

/// The plain copies of the first n bytes that a move is measured against: of every kind, on all workers; and where there are several
/// workers, memcpy on one thread, which is the fastest below some 64 KiB.
std::vector<Contender> plain_copies(std::byte* dst, const std::byte* src, std::int64_t n_bytes, Executor& executor);

/// One row per size and kind of copy, named "interleaved_64MiB". Throws std::runtime_error when a copy is wrong.
void run_copy(const std::vector<std::int64_t>& n_bytes, const Effort& effort, std::uint64_t seed, Executor& executor, Report& report);

/// The same on a CUDA device, which must be there: the driver's copy within it and that of a kernel, 16 bytes a thread, "driver_64MiB" and
/// "kernel_64MiB". Throws bad_shape for sizes that are no multiple of 16, and device.
void run_copy_on_gpu(const std::vector<std::int64_t>& n_bytes, const Effort& effort, std::uint64_t seed, Device device, Report& report);

/// Copies of n bytes that took turns, a row each, beside the best of them all. `threads` and `checked` as in a Row.
void add_copies(const std::vector<Contender>& copies, std::int64_t n_bytes, int threads, const std::string& checked, Report& report);

}  // namespace crinkle::bench
