// One tile of a pass: which cells every stage has to compute, and the two arrays that it computes them in.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "stencil/cpu/stencil_kernels.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

/// The row that a point sees from some row, or the number that stands for it beyond a face.
template <class T>
struct SeenRow {
  const T* row = nullptr;
  int constant_axis = -1;  // of the array
  T value = 0;
};

/// A thread's place for tiles; kept from one to the next.
template <class T>
struct TileSpace {
  std::vector<Region> computed, read;  // by every stage; computed[s] is what it makes
  std::vector<std::int64_t> lags;      // of every stage behind the first, in rows
  std::vector<std::int64_t> deltas;    // of a list's points, elements
  std::vector<const T*> from;          // of a list's points
  std::vector<SeenRow<T>> seen;
  std::vector<T> totals;
};

/// Computes the tile `region` of `tiles`; destination cells of the region are written, no others. The buffers begin at byte 0 of the
/// places.
template <class T>
void run_tile(const SweepPlan& plan, const MemoryPass& pass, const Tiles& tiles, const Region& region, const Coefficients<T>& coefficients,
              const std::byte* source, std::byte* destination, const simd::StencilKernels& kernels, TileSpace<T>& space);

}  // namespace crinkle
