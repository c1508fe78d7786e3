// Sums down several rows at once, in vectors. SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_STENCIL_STACKED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_STENCIL_STACKED_INL
#undef CRINKLE_STENCIL_STACKED_INL
#else
#define CRINKLE_STENCIL_STACKED_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "stencil/cpu/stencil_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using StencilTag = hn::ScalableTag<T>;
template <class T>
inline constexpr int stencil_lanes = static_cast<int>(hn::MaxLanes(StencilTag<T>()));

// Sums of n_rows rows, n_vectors vectors each, from column i on.
template <int n_rows, int n_vectors, class D, class T>
struct StackedSums {
  using V = hn::Vec<D>;
  const D& d;
  const StackedRows<T>& of;
  std::int64_t i;
  V sums[static_cast<std::size_t>(n_rows * n_vectors)], weights[static_cast<std::size_t>(n_rows)];

  // Row q of those that are read, seen by rows `first` to `last` of the result; the last one begins with it, or does not.
  template <int first, int last, bool is_begun>
  HWY_INLINE void add(std::int64_t q) {
    const T* const x = of.rows[q] + i;
#pragma GCC unroll 4
    for (int v = 0; v < n_vectors; ++v) {
      const V number = hn::LoadU(d, x + v * static_cast<std::int64_t>(hn::MaxLanes(D())));
#pragma GCC unroll 4
      for (int r = first; r <= last; ++r) {
        const V term = hn::Mul(weights[r], number);
        V& sum = sums[r * n_vectors + v];
        sum = r == last && !is_begun ? term : hn::Add(sum, term);
      }
    }
  }
  // The weights of the row that is read move on by one from row to row.
  HWY_INLINE void move_weights() {
#pragma GCC unroll 4
    for (int r = n_rows - 1; r > 0; --r) weights[r] = weights[r - 1];
  }
  template <int... q>
  HWY_INLINE void begin(std::integer_sequence<int, q...>) {
    ((move_weights(), weights[0] = hn::Set(d, of.coefficients[q]), add<0, q, false>(q)), ...);
  }
  template <int... q>
  HWY_INLINE void end(std::integer_sequence<int, q...>) {
    ((move_weights(), add<q + 1, n_rows - 1, true>(of.n_points + q)), ...);
  }

  HWY_INLINE void make() {
    begin(std::make_integer_sequence<int, n_rows>());
    for (std::int64_t q = n_rows; q < of.n_points; ++q) {
      move_weights();
      weights[0] = hn::Set(d, of.coefficients[q]);
      add<0, n_rows - 1, true>(q);
    }
    end(std::make_integer_sequence<int, n_rows - 1>());
#pragma GCC unroll 4
    for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < n_vectors; ++v)
        hn::StoreU(sums[r * n_vectors + v], d, of.out + r * of.out_pitch + i + v * static_cast<std::int64_t>(hn::MaxLanes(D())));
    }
  }
};
template <int n_rows, int n_vectors, class D, class T>
HWY_INLINE void stack_block(const D& d, const StackedRows<T>& of, std::int64_t i) {
  StackedSums<n_rows, n_vectors, D, T> sums{d, of, i, {}, {}};
  sums.make();
}

// By vectors that begin and end with the rows, where they have one.
template <int n_rows, int lanes, class T>
void stack_by(const StackedRows<T>& of) {
  const std::int64_t n = of.n_columns;
  if constexpr (lanes > 1) {
    if (n < lanes) return stack_by<n_rows, lanes / 2>(of);
  }
  const hn::CappedTag<T, static_cast<std::size_t>(lanes)> d;
  std::int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) stack_block<n_rows, 2>(d, of, i);
  for (; i + lanes <= n; i += lanes) stack_block<n_rows, 1>(d, of, i);
  if (i < n) stack_block<n_rows, 1>(d, of, n - lanes);
}
template <class T>
void stack_rows(const StackedRows<T>& of) {
  switch (of.n_rows) {
    case 1: return stack_by<1, stencil_lanes<T>>(of);
    case 2: return stack_by<2, stencil_lanes<T>>(of);
    case 3: return stack_by<3, stencil_lanes<T>>(of);
    default: return stack_by<4, stencil_lanes<T>>(of);
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
