// Means over boxes by running sums (stencil/running.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/executor.hpp"
#include "stencil/cpu/running_kernels.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

/// Runs the one pass of a plan that has `running`, on any kernels.
void run_running(const SweepPlan& plan, const std::byte* source, std::byte* destination, Executor& executor,
                 const simd::RunningKernels& kernels = simd::RunningKernels::best());

}  // namespace crinkle
