// One tile of a pass: which cells every stage has to compute, and the two arrays that it computes them in.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "stencil/cpu/extended_line.hpp"
#include "stencil/cpu/sight.hpp"
#include "stencil/cpu/stencil_kernels.hpp"
#include "stencil/plan.hpp"

namespace crinkle {

/// Where the copy of a plane is, and how much of it is there.
struct PlaneSlot {
  std::int64_t key = -1;  // of the plane: unlike all others' of the tile
  std::int64_t n_rows = 0;
};
/// The points of a list that see one plane from another.
template <class T>
struct PlaneGroup {
  AxisNumbers offset = {};  // cells, along the axes before the last two
  bool is_copied = false;
  // From the plane that is made:
  Seen<T> before, seen;       // along the axes before the last three, and the last two
  PlaneSlot* slot = nullptr;  // of a copy
  const T* at = nullptr;      // the first cell that a point at no distance in the plane sees
  std::int64_t pitch = 0;
};
/// An element of a copied row that lies beyond the array's.
template <class T>
struct RowEnd {
  std::int64_t to = 0;     // from the row's first cell that is made
  std::int64_t from = -1;  // in the array's row, or −1: a constant face
  T value = 0;             // that face's
};

/// A thread's place for tiles; kept from one to the next.
template <class T>
struct TileSpace {
  std::vector<Region> computed, read;  // by every stage; computed[s] is what it makes
  std::vector<std::int64_t> lags;      // of every stage behind the first, in rows
  std::vector<std::int64_t> deltas;    // of a list's points, elements
  std::vector<const T*> from;          // of a list's points
  std::vector<std::int64_t> pitches;   // of a list's points
  std::vector<Seen<T>> seen;
  std::vector<T> totals;
  std::vector<PlaneGroup<T>> groups;  // in planes
  std::vector<std::size_t> group_of;  // of a list's points
  std::vector<PlaneSlot> slots;
  std::vector<RowEnd<T>> ends;
  ExtendedLine extended;
};

/// Computes the tile `region` of `tiles`; destination cells of the region are written, no others. The buffers begin at byte 0 of the
/// places.
template <class T>
void run_tile(const SweepPlan& plan, const MemoryPass& pass, const Tiles& tiles, const Region& region, const Coefficients<T>& coefficients,
              const std::byte* source, std::byte* destination, const simd::StencilKernels& kernels, TileSpace<T>& space);

}  // namespace crinkle
