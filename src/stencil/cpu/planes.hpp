// A tile of a pass of one list whose cells are read and written where they lie, plane by plane: for short lines.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cpu/tile.hpp"

namespace crinkle {

/// Computes the cells of a region. Requires lines of both arrays that are numbers of type T side by side, two axes at least; `source` and
/// `destination` are where their first cells lie.
template <class T>
void run_planes(const SweepPlan& plan, const MemoryPass& pass, const Region& region, const std::vector<T>& coefficients, const T* source,
                T* destination, const simd::StencilKernels& kernels, TileSpace<T>& space);

}  // namespace crinkle
