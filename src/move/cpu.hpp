// A move on the CPU: every box is cut along its slowest destination axis into chunks that write disjoint bytes, and an executor runs
// the chunks. The result does not depend on the number of threads.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "crinkle/executor.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// As run_reference (move/reference.hpp). Requires simplified boxes and buffers that hold their spans and do not overlap.
/// Aliasing: none. Cost: one pass; allocates only where the executor does or a box of more than 9 axes is cut into chunks.
void run_cpu(const Boxes& boxes, std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor);
void run_cpu(const Step& step, std::span<const std::byte* const> src, std::span<std::byte* const> dst, Executor& executor);

}  // namespace crinkle
