// Where a thread of a filter (filter.cuh) has its elements, and how it takes rows of them from memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/filter.hpp"

namespace crinkle::kernel {

template <class E, int n>
struct alignas(n * sizeof(E)) Lanes {
  E of[n];
};

/// A thread's elements: its place, and what stands for those beyond the ends of the line. P has constants:
///     In, Out, T                          elements and sums
///     threads, lanes, width, rim          of a block; elements of a thread, of a cell; of a tile's sides, a multiple of lanes
///     ahead                               rows that are asked for before they are needed
///     n_down, first_down                  rows that one is made of, the first one's offset
///     n_across, first_across, is_grid     cells along the line likewise, 0: none; whether they are of every row
///     rows_low, rows_high, line_low, line_high; line_wins    bounds; of corners beyond two constant faces
///     down(k), across(k), grid(j, k)      weights
///     is_rounded, certain, exact_…        of bytes: how far from a whole number a sum is certain; the weights in float64
template <class P>
struct FilterPlace {
  static constexpr int n = P::lanes;
  static constexpr bool line_is_constant = P::line_low == Bound::constant || P::line_high == Bound::constant;
  std::int64_t x;  // its first element
  bool is_vector = true, is_own = false;
  std::int32_t at[n];  // where it is no vector: elements of the line, or below 0 a constant

  __device__ void find(const FilterTask& task, std::int64_t tile) {
    constexpr int own = P::threads * n - 2 * P::rim;
    const int first = static_cast<int>(threadIdx.x) * n;
    x = tile * own + first - P::rim;
    is_own = first >= P::rim && first < P::rim + own && x < task.line.extent;
    is_vector = task.is_aligned_in && x >= 0 && x + n <= task.line.extent;
    if (is_vector) return;
#pragma unroll
    for (int e = 0; e < n; ++e) at[e] = static_cast<std::int32_t>(element(task, x + e));
  }
  /// The element of the line that i stands for. One beyond the rim is not asked for.
  __device__ static std::int64_t element(const FilterTask& task, std::int64_t i) {
    if (i >= 0 && i < task.line.extent) return i;
    if (i >= task.line.extent + P::rim) return 0;
    const std::int64_t cell = (i < 0 ? i - P::width + 1 : i) / P::width;
    const std::int64_t inside = detail::bounded(P::line_low, P::line_high, cell, task.line.extent / P::width);
    return inside < 0 ? inside : inside * P::width + (i - cell * P::width);
  }
};

template <class P>
__device__ __forceinline__ std::int64_t filter_row(const FilterTask& task, std::int64_t j) {
  return j >= 0 && j < task.rows.extent ? j : detail::bounded(P::rows_low, P::rows_high, j, task.rows.extent);
}
template <class T>
__device__ __forceinline__ T value_beyond(const FilterFaces& faces, std::int64_t place) {
  return static_cast<T>(place == detail::at_low_face ? faces.low : faces.high);
}
/// A row that was asked for.
template <class P>
struct FilterRow {
  using In = typename P::In;
  using T = typename P::T;
  static constexpr int n = P::lanes;
  std::int64_t place = 0;  // below 0: a constant
  Lanes<In, n> raw{};

  __device__ __forceinline__ void ask(const FilterTask& task, const FilterPlace<P>& own, const char* in, std::int64_t j) {
    place = filter_row<P>(task, j);
    if (place < 0) return;
    const In* const from = reinterpret_cast<const In*>(in + place * task.rows.in);
    if (own.is_vector) {
      raw = *reinterpret_cast<const Lanes<In, n>*>(from + own.x);
    } else {
#pragma unroll
      for (int e = 0; e < n; ++e)
        if (own.at[e] >= 0) raw.of[e] = from[own.at[e]];
    }
  }
  __device__ __forceinline__ void take(const FilterTask& task, const FilterPlace<P>& own, T* v) const {
#pragma unroll
    for (int e = 0; e < n; ++e) v[e] = place < 0 ? value_beyond<T>(task.of_rows, place) : static_cast<T>(raw.of[e]);
    if constexpr (P::is_grid && FilterPlace<P>::line_is_constant) {
      if (own.is_vector) return;
#pragma unroll
      for (int e = 0; e < n; ++e)
        if (own.at[e] < 0 && (P::line_wins || place >= 0)) v[e] = value_beyond<T>(task.of_line, own.at[e]);
    }
  }
};

}  // namespace crinkle::kernel
