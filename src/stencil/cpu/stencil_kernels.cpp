// Compiles the stencils' kernels once for every instruction set, as kernels-inl.hpp does its own. Sums of several vectors are made at once,
// so that a coefficient and an address are read once for all of them; lists of few points are unrolled.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stencil/cpu/stencil_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <hwy/cache_control.h>
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
/// Vectors whose sums are made at once: sums of one vector wait for each other, and whole lines are streamed.
inline constexpr int stencil_vectors_of_few = 4, stencil_vectors_of_many = 8;

// n_points > 0: known when compiled.
template <int n_points, int n_vectors, bool is_streaming, class T>
HWY_INLINE void sum_vectors(const WeightedRows<T>& rows, std::int64_t in, T* out) {
  const StencilTag<T> d;
  using V = hn::Vec<StencilTag<T>>;
  V sums[static_cast<std::size_t>(n_vectors)];
  const T* x = rows.from[0] + in;
  V c = hn::Set(d, rows.coefficients[0]);
#pragma GCC unroll 16
  for (int v = 0; v < n_vectors; ++v) sums[v] = hn::Mul(c, hn::LoadU(d, x + v * stencil_lanes<T>));
  const auto add = [&](std::int64_t k) HWY_ATTR {
    x = rows.from[k] + in;
    c = hn::Set(d, rows.coefficients[k]);
#pragma GCC unroll 16
    for (int v = 0; v < n_vectors; ++v) sums[v] = hn::Add(sums[v], hn::Mul(c, hn::LoadU(d, x + v * stencil_lanes<T>)));
  };
  if constexpr (n_points > 0) {
#pragma GCC unroll 16
    for (int k = 1; k < n_points; ++k) add(k);
  } else {
    for (std::int64_t k = 1; k < rows.n_points; ++k) add(k);
  }
#pragma GCC unroll 16
  for (int v = 0; v < n_vectors; ++v) {
    if constexpr (is_streaming) hn::Stream(sums[v], d, out + v * stencil_lanes<T>);
    else hn::StoreU(sums[v], d, out + v * stencil_lanes<T>);
  }
}

// Fewer than a vector.
template <class T>
HWY_INLINE void sum_few(const WeightedRows<T>& rows, std::int64_t in, T* out) {
  for (std::int64_t i = 0; i < rows.n_columns; ++i) {
    T sum = rows.coefficients[0] * rows.from[0][in + i];
    for (std::int64_t k = 1; k < rows.n_points; ++k) sum += rows.coefficients[k] * rows.from[k][in + i];
    out[i] = sum;
  }
}

// At its ends a row is made of vectors that begin and end with it: what they share with others is written twice, the same.
template <int n_points, bool is_streaming, class T>
HWY_INLINE void sum_row(const WeightedRows<T>& rows, std::int64_t in, T* out) {
  constexpr int n_vectors = n_points > 0 ? stencil_vectors_of_few : stencil_vectors_of_many;
  constexpr std::int64_t lanes = stencil_lanes<T>, block = lanes * n_vectors, n_line = stencil_line / sizeof(T);
  const std::int64_t n = rows.n_columns;
  if (n < lanes) return sum_few(rows, in, out);
  std::int64_t i = 0;
  if constexpr (is_streaming) {
    const auto behind = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % stencil_line / sizeof(T));
    const std::int64_t head = behind == 0 ? 0 : n_line - behind;
    for (; i < head && i + lanes <= n; i += lanes) sum_vectors<n_points, 1, false>(rows, in + i, out + i);
    if (i >= head) i = head;
  }
  for (; i + block <= n; i += block) sum_vectors<n_points, n_vectors, is_streaming>(rows, in + i, out + i);
  // Not one by one: sums of one vector wait for each other.
  if constexpr (n_vectors > 4) {
    if (i + 4 * lanes <= n) {
      sum_vectors<n_points, 4, false>(rows, in + i, out + i);
      i += 4 * lanes;
    }
  }
  if (i + 2 * lanes <= n) {
    sum_vectors<n_points, 2, false>(rows, in + i, out + i);
    i += 2 * lanes;
  }
  for (; i + lanes <= n; i += lanes) sum_vectors<n_points, 1, false>(rows, in + i, out + i);
  if (i < n) sum_vectors<n_points, 1, false>(rows, in + n - lanes, out + n - lanes);
}

template <int n_points, class T>
void sum_rows_of(const WeightedRows<T>& rows) {
  std::int64_t in = 0;
  T* out = rows.out;
  for (std::int64_t j = 0; j < rows.n_rows; ++j, in += rows.in_pitch, out += rows.out_pitch) {
    if (rows.is_streaming) sum_row<n_points, true>(rows, in, out);
    else sum_row<n_points, false>(rows, in, out);
  }
}

template <class T>
void sum_rows(const WeightedRows<T>& rows) {
  switch (rows.n_points) {
    case 3: return sum_rows_of<3>(rows);
    case 5: return sum_rows_of<5>(rows);
    case 7: return sum_rows_of<7>(rows);
    case 9: return sum_rows_of<9>(rows);
    default: return sum_rows_of<0>(rows);
  }
}

inline void stencil_fence() { hwy::FlushStream(); }

inline const StencilKernels* stencil_table() {
  static const StencilKernels kernels = {hwy::TargetName(HWY_TARGET), sum_rows<float>, sum_rows<double>, stencil_fence};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(stencil_table);
const StencilKernels& StencilKernels::best() { return best_table(HWY_DISPATCH_TABLE(stencil_table)); }
std::vector<const StencilKernels*> StencilKernels::all() { return all_tables(HWY_DISPATCH_TABLE(stencil_table)); }

}  // namespace crinkle::simd
#endif
