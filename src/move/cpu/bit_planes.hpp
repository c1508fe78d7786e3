// Bit planes on the CPU, by any of its ways. The public functions (crinkle/operations.hpp) check their arguments and take the quickest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/bit_matrices.hpp"
#include "crinkle/executor.hpp"
#include "crinkle/operations.hpp"
#include "move/cpu/move.hpp"

namespace crinkle {

/// Elements of which some are taken apart or put together. `planes` is where all planes begin, `elements` where the range does.
struct PlanesShape {
  std::int64_t n = 0, element_bytes = 1;
  ElementRange some;
};

void run_bit_planes(const PlanesShape& shape, const std::byte* elements, std::byte* planes, Executor& executor,
                    const simd::BitMatrices& matrices = simd::bit_matrices(), const CpuLimits& limits = {});
void run_from_bit_planes(const PlanesShape& shape, const std::byte* planes, std::byte* elements, Executor& executor,
                         const simd::BitMatrices& matrices = simd::bit_matrices(), const CpuLimits& limits = {});

}  // namespace crinkle
