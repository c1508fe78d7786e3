// A sweep of bytes in whole numbers. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/executor.hpp"
#include "stencil/cpu/integer_kernels.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

/// Requires a plan with an IntegerSweep. The buffers begin at byte 0 of the places.
void run_integers(const SweepPlan& plan, const std::byte* source, std::byte* destination, Executor& executor,
                  const simd::IntegerKernels& kernels = simd::IntegerKernels::best());

}  // namespace crinkle
