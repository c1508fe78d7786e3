// The passes of a plan on a CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <functional>

#include "stencil/cpu/stencil_kernels.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

/// Runs every pass: from `source`, by way of the buffers in turn, to `destination`. Calls `passed`, if there, after each. `kernels` are
/// those of any instruction set that the machine has: the result is the same.
void run_passes(const SweepPlan& plan, const std::byte* source, std::byte* destination, const std::array<std::byte*, 2>& buffers,
                Executor& executor, const std::function<void()>& passed,
                const simd::StencilKernels& kernels = simd::StencilKernels::best());

}  // namespace crinkle
