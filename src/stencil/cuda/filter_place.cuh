// Where a thread of a filter (filter.cuh) has its elements, and how it takes rows of them from memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/filter.hpp"

namespace crinkle::kernel {

template <class E, int n>
struct alignas(n * sizeof(E)) Lanes {
  E of[n];
};

/// Rounded each, whatever a compiler may fuse.
__device__ __forceinline__ float weighted(float weight, float x) { return __fmul_rn(weight, x); }
__device__ __forceinline__ double weighted(double weight, double x) { return __dmul_rn(weight, x); }
__device__ __forceinline__ float added(float total, float x) { return __fadd_rn(total, x); }
__device__ __forceinline__ double added(double total, double x) { return __dadd_rn(total, x); }

/// A thread's elements: its place, and what stands for those beyond the ends of the line. A plan P has
///     In, Out, T                          elements and sums
///     threads, lanes, width, rim          of a block, 0: as launched; elements of a thread, of a cell; of a tile's sides, a multiple of
///     lanes ahead                               rows that are asked for before they are needed n_down, first_down                  rows
///     that one is made of, the first one's offset is_padded                           whether it has room for more weights than there are
///     (fixed_filter.hpp): n_unused, begin_across, end_across  leading ones down the rows, and the range of those along the line that are
///     weights n_across, first_across, is_grid     cells along the line likewise, 0: none; whether they are of every row rows_low,
///     rows_high, line_low, line_high; line_wins    bounds; of corners beyond two constant faces down(k), across(k), grid(j, k) weights
///     is_rounded, certain, exact_…        of bytes: how far from a whole number a sum is certain; the weights in float64
///     line_is_constant, has_marks         whether a bound of the line, and an uncertain sum, may be there
/// as constants; bounds, line_wins, weights, first_down, n_unused, the range and `certain` also as what a launch brings.
template <class P>
__device__ __forceinline__ int threads_of() {
  if constexpr (P::threads > 0) return P::threads;
  else return static_cast<int>(blockDim.x);
}
template <class P>
struct FilterPlace {
  static constexpr int n = P::lanes;
  std::int64_t x;  // its first element
  bool is_vector = true, is_own = false;
  std::int32_t at[n];  // where it is no vector: elements of the line, or below 0 a constant

  __device__ void find(const P& p, const FilterTask& task, std::int64_t tile) {
    const int own = threads_of<P>() * n - 2 * P::rim;
    const int first = static_cast<int>(threadIdx.x) * n;
    x = tile * own + first - P::rim;
    is_own = first >= P::rim && first < P::rim + own && x < task.line.extent;
    is_vector = task.is_aligned_in && x >= 0 && x + n <= task.line.extent;
    if (is_vector) return;
#pragma unroll
    for (int e = 0; e < n; ++e) at[e] = static_cast<std::int32_t>(element(p, task, x + e));
  }
  /// The element of the line that i stands for. One beyond the rim is not asked for.
  __device__ static std::int64_t element(const P& p, const FilterTask& task, std::int64_t i) {
    if (i >= 0 && i < task.line.extent) return i;
    if (i >= task.line.extent + P::rim) return 0;
    const std::int64_t cell = (i < 0 ? i - P::width + 1 : i) / P::width;
    const std::int64_t inside = detail::bounded(p.line_low, p.line_high, cell, task.line.extent / P::width);
    return inside < 0 ? inside : inside * P::width + (i - cell * P::width);
  }
};

template <class P>
__device__ __forceinline__ std::int64_t filter_row(const P& p, const FilterTask& task, std::int64_t j) {
  return j >= 0 && j < task.rows.extent ? j : detail::bounded(p.rows_low, p.rows_high, j, task.rows.extent);
}
template <class T>
__device__ __forceinline__ T value_beyond(const FilterFaces& faces, std::int64_t place) {
  return static_cast<T>(place == detail::at_low_face ? faces.low : faces.high);
}
/// An element at any address: of bytes' sums two bytes may lie at an odd one.
template <class Out>
__device__ __forceinline__ void store_one(Out* to, Out value) {
  if constexpr (sizeof(Out) == 2) {
    if (reinterpret_cast<std::uintptr_t>(to) % 2 != 0) {
      const auto bits = static_cast<std::uint16_t>(value);
      reinterpret_cast<std::uint8_t*>(to)[0] = static_cast<std::uint8_t>(bits & 0xFF);
      reinterpret_cast<std::uint8_t*>(to)[1] = static_cast<std::uint8_t>(bits >> 8);
      return;
    }
  }
  *to = value;
}
/// A row that was asked for.
template <class P>
struct FilterRow {
  using In = typename P::In;
  using T = typename P::T;
  static constexpr int n = P::lanes;
  std::int32_t face = 0;  // below 0: a constant
  Lanes<In, n> raw{};

  __device__ __forceinline__ void ask(const P& p, const FilterTask& task, const FilterPlace<P>& own, const char* in, std::int64_t j) {
    const std::int64_t place = filter_row(p, task, j);
    face = place < 0 ? static_cast<std::int32_t>(place) : 0;
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
  __device__ __forceinline__ void take(const P& p, const FilterTask& task, const FilterPlace<P>& own, T* v) const {
#pragma unroll
    for (int e = 0; e < n; ++e) v[e] = face < 0 ? value_beyond<T>(task.of_rows, face) : static_cast<T>(raw.of[e]);
    if constexpr (P::is_grid && P::line_is_constant) {
      if (own.is_vector) return;
#pragma unroll
      for (int e = 0; e < n; ++e)
        if (own.at[e] < 0 && (p.line_wins || face == 0)) v[e] = value_beyond<T>(task.of_line, own.at[e]);
    }
  }
};

}  // namespace crinkle::kernel
