// A sweep of bytes in float32 lanes. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/executor.hpp"
#include "stencil/cpu/rounded_kernels.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

/// Requires a plan with a RoundedSweep. The buffers begin at byte 0 of the places.
void run_rounded(const SweepPlan& plan, const std::byte* source, std::byte* destination, Executor& executor,
                 const simd::RoundedKernels& kernels = simd::RoundedKernels::best());

}  // namespace crinkle
