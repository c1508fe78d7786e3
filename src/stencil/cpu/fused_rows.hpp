// A pass of two stages, the first one down the rows and the second one along the line: a few rows are made by the first, stay in the first
// cache, and become rows of the result. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cpu/tile.hpp"

namespace crinkle {

/// Computes region's cells of the destination, no others. Requires pass.is_fused.
template <class T>
void run_fused(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const Coefficients<T>& coefficients, const T* source,
               T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space);

}  // namespace crinkle
