// An involution on the CPU: exchanges (plan/in_place.hpp) within the same buffers. Every pair of places is swapped by one thread.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "move/cpu/move.hpp"
#include "plan/in_place.hpp"

namespace crinkle {

/// As run_reference() from a copy of the buffers into them. `buffers` are the addresses that the exchanges' offsets count from, one per
/// slot. Cost: each byte that moves is read and written once; allocates only what a thread keeps from then on, and for boxes of over 9
/// axes.
void run_in_place(const std::vector<planning::Exchange>& exchanges, std::span<std::byte* const> buffers, Executor& executor,
                  const simd::Kernels& kernels = simd::kernels(), const CpuLimits& limits = {});

}  // namespace crinkle
