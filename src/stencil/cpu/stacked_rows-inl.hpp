// Sums down several rows at once, in vectors. SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_STENCIL_STACKED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_STENCIL_STACKED_INL
#undef CRINKLE_STENCIL_STACKED_INL
#else
#define CRINKLE_STENCIL_STACKED_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "stencil/cpu/stencil_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using StencilTag = hn::ScalableTag<T>;
template <class T>
inline constexpr int stencil_lanes = static_cast<int>(hn::MaxLanes(StencilTag<T>()));

inline constexpr std::int64_t stencil_line = 64;  // bytes

/// Elements before the first whole line.
template <class T>
std::int64_t elements_to_line(const T* p) {
  constexpr std::int64_t n_line = stencil_line / sizeof(T);
  return (n_line - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p) % stencil_line / sizeof(T))) % n_line;
}

// Sums of n_rows rows, n_vectors vectors each, from column i on. They begin with -0, to which a number is added as it is.
template <int n_rows, int n_vectors, class D, class T>
struct StackedSums {
  using V = hn::Vec<D>;
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  const D& d;
  const StackedRows<T>& of;
  std::int64_t i;
  V sums[static_cast<std::size_t>(n_rows * n_vectors)];

  // Row q of those that are read of a plane, seen by rows `first` to `last` of the result.
  template <int first, int last>
  HWY_INLINE void add(const T* row, const T* coefficients, std::int64_t q) {
    for (std::int64_t a = 0; a < of.n_across; ++a) {
      const T* const x = row + of.aside[a] + i;
      V weights[static_cast<std::size_t>(n_rows)];
#pragma GCC unroll 4
      for (int r = first; r <= last; ++r) weights[r] = hn::Set(d, coefficients[(q - r) * of.n_across + a]);
#pragma GCC unroll 4
      for (int v = 0; v < n_vectors; ++v) {
        const V number = hn::LoadU(d, x + v * lanes);
#pragma GCC unroll 4
        for (int r = first; r <= last; ++r) {
          V& sum = sums[r * n_vectors + v];
          sum = hn::Add(sum, hn::Mul(weights[r], number));
        }
      }
    }
  }
  template <int first>
  HWY_INLINE void add_from(const T* row, const T* coefficients, std::int64_t q, std::int64_t last) {
    if (last == n_rows - 1) return add<first, n_rows - 1>(row, coefficients, q);
    if constexpr (first + 2 < n_rows) {
      if (last == n_rows - 2) return add<first, n_rows - 2>(row, coefficients, q);
    }
    if constexpr (first + 3 < n_rows) {
      if (last == n_rows - 3) return add<first, n_rows - 3>(row, coefficients, q);
    }
    return add<first, first>(row, coefficients, q);
  }
  HWY_INLINE void add_any(const T* row, const T* coefficients, std::int64_t q) {
    const std::int64_t first = std::max<std::int64_t>(0, q + 1 - of.n_down), last = std::min<std::int64_t>(n_rows - 1, q);
    if (first == 0) return add_from<0>(row, coefficients, q, last);
    if constexpr (n_rows > 1) {
      if (first == 1) return add_from<1>(row, coefficients, q, last);
    }
    if constexpr (n_rows > 2) {
      if (first == 2) return add_from<2>(row, coefficients, q, last);
    }
    if constexpr (n_rows > 3) return add_from<3>(row, coefficients, q, last);
  }

  template <bool is_streaming>
  HWY_INLINE void make() {
#pragma GCC unroll 16
    for (V& sum : sums) sum = hn::Set(d, T{-0.0});
    const T* const* row = of.rows;
    const T* coefficients = of.coefficients;
    for (std::int64_t plane = 0; plane < of.n_planes; ++plane, coefficients += of.n_down * of.n_across) {
      const std::int64_t n = of.n_down + n_rows - 1;
      for (std::int64_t q = 0; q < n; ++q, ++row) {
        if (q >= n_rows - 1 && q < of.n_down) add<0, n_rows - 1>(*row, coefficients, q);
        else add_any(*row, coefficients, q);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < n_vectors; ++v) {
        T* const to = of.out + r * of.out_pitch + i + v * lanes;
        if constexpr (is_streaming) hn::Stream(sums[r * n_vectors + v], d, to);
        else hn::StoreU(sums[r * n_vectors + v], d, to);
      }
    }
  }
};
// A function of its own: in each place that calls it, it would be compiled anew, which took a minute.
template <int n_rows, int n_vectors, bool is_streaming, class D, class T>
HWY_NOINLINE void stack_block(const D& d, const StackedRows<T>& of, std::int64_t i) {
  StackedSums<n_rows, n_vectors, D, T> sums{d, of, i, {}};
  sums.template make<is_streaming>();
}

// Rows of less than a vector, by one or two that begin and end with them.
template <int n_rows, int lanes, class T>
void stack_short(const StackedRows<T>& of) {
  if constexpr (lanes > 1) {
    if (of.n_columns < lanes) return stack_short<n_rows, lanes / 2>(of);
  }
  const hn::CappedTag<T, static_cast<std::size_t>(lanes)> d;
  stack_block<n_rows, 1, false>(d, of, 0);
  if (of.n_columns > lanes) stack_block<n_rows, 1, false>(d, of, of.n_columns - lanes);
}

// By vectors that begin and end with the rows. Streamed: rows alike, so that lines are whole in all where they are in the first.
template <int n_rows, bool is_streaming, class T>
void stack_by(const StackedRows<T>& of) {
  constexpr std::int64_t lanes = stencil_lanes<T>;
  const std::int64_t n = of.n_columns;
  if constexpr (lanes > 1) {
    if (n < lanes) return stack_short<n_rows, lanes / 2>(of);
  }
  const StencilTag<T> d;
  constexpr int n_vectors = lanes * sizeof(T) == 64 ? 4 : 2;  // of 32 registers, or 16
  std::int64_t i = 0;
  if constexpr (is_streaming) {
    const std::int64_t head = elements_to_line(of.out);
    for (; i < head && i + lanes <= n; i += lanes) stack_block<n_rows, 1, false>(d, of, i);
    if (i >= head) i = head;
  }
  for (; i + n_vectors * lanes <= n; i += n_vectors * lanes) stack_block<n_rows, n_vectors, is_streaming>(d, of, i);
  for (; i + 2 * lanes <= n; i += 2 * lanes) stack_block<n_rows, 2, false>(d, of, i);
  for (; i + lanes <= n; i += lanes) stack_block<n_rows, 1, false>(d, of, i);
  if (i < n) stack_block<n_rows, 1, false>(d, of, n - lanes);
}
template <class T>
void stack_rows(const StackedRows<T>& of) {
  constexpr std::int64_t n_line = stencil_line / sizeof(T), short_streamed = 512 / sizeof(T);
  if (of.n_rows == 1) return stack_by<1, false>(of);
  if (of.n_rows == 2) return stack_by<2, false>(of);
  if (of.n_rows == 3) return stack_by<3, false>(of);
  const bool is_streaming = of.is_streaming && of.out_pitch % n_line == 0 && of.n_columns >= short_streamed;
  if (is_streaming) return stack_by<4, true>(of);
  stack_by<4, false>(of);
}

// Rows of a list that is a grid.
template <class T>
void stack_grid(const WeightedRows<T>& rows) {
  const std::int64_t of_plane = rows.n_down * rows.n_across, n_planes = rows.n_points / of_plane;
  const T* at[static_cast<std::size_t>(most_stacked)];
  std::int64_t aside[static_cast<std::size_t>(most_stacked)];
  for (std::int64_t a = 0; a < rows.n_across; ++a) aside[a] = rows.from[a] - rows.from[0];
  for (std::int64_t j = 0; j < rows.n_rows; j += rows_fused_at_once) {
    const std::int64_t n_rows = std::min(rows_fused_at_once, rows.n_rows - j), n_read = rows.n_down + n_rows - 1;
    for (std::int64_t p = 0; p < n_planes; ++p)
      for (std::int64_t q = 0; q < n_read; ++q) at[p * n_read + q] = rows.from[p * of_plane] + (j + q) * rows.pitches[p * of_plane];
    stack_rows<T>({.rows = at,
                   .aside = aside,
                   .coefficients = rows.coefficients,
                   .n_planes = n_planes,
                   .n_down = rows.n_down,
                   .n_across = rows.n_across,
                   .out = rows.out + j * rows.out_pitch,
                   .n_rows = n_rows,
                   .n_columns = rows.n_columns,
                   .out_pitch = rows.out_pitch,
                   .is_streaming = rows.is_streaming});
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
