// Compiles the stencils' kernels once for every instruction set, as kernels-inl.hpp does its own. Sums of several vectors are made at once,
// so that a coefficient and an address are read once for all of them; lists of few points are unrolled.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stencil/cpu/stencil_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stencil/cpu/stacked_rows-inl.hpp"
#include "stencil/cpu/stencil_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Vectors whose sums are made at once: sums of one vector wait for each other, and whole lines are streamed.
inline constexpr int stencil_vectors_of_few = 4, stencil_vectors_of_many = 8;

// The points of a list as a block of rows from row j on sees them.
template <class D, class T>
struct ListedPoints {
  const D& d;
  const WeightedRows<T>& rows;
  std::int64_t j;
  HWY_INLINE const T* at(std::int64_t k) const { return rows.from[k] + j * rows.pitches[k]; }
  HWY_INLINE hn::Vec<D> coefficient(std::int64_t k) const { return hn::Set(d, rows.coefficients[k]); }
};
// The same of one row and few points: addresses and weights stay in registers.
template <int n_points, class D, class T>
struct HeldPoints {
  const T* places[static_cast<std::size_t>(n_points)];
  hn::Vec<D> coefficients[static_cast<std::size_t>(n_points)];

  HWY_INLINE HeldPoints(const ListedPoints<D, T>& list) {
#pragma GCC unroll 16
    for (int k = 0; k < n_points; ++k) {
      places[k] = list.at(k);
      coefficients[k] = list.coefficient(k);
    }
  }
  HWY_INLINE const T* at(std::int64_t k) const { return places[k]; }
  HWY_INLINE hn::Vec<D> coefficient(std::int64_t k) const { return coefficients[k]; }
};

// A block of sums: vectors `step` columns apart from column i on, of rows from row j on. n_points > 0: known when compiled.
template <int n_points, int n_rows, int n_vectors, bool is_streaming, class D, class T, class Points>
HWY_INLINE void sum_block(const D& d, const WeightedRows<T>& rows, const Points& points, std::int64_t j, std::int64_t i,
                          std::int64_t step) {
  using V = hn::Vec<D>;
  V sums[static_cast<std::size_t>(n_rows * n_vectors)];
  const auto add = [&](std::int64_t k, auto first) HWY_ATTR {
    const T* const x = points.at(k) + i;
    const std::int64_t pitch = n_rows > 1 ? rows.pitches[k] : 0;
    const V c = points.coefficient(k);
#pragma GCC unroll 16
    for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 16
      for (int v = 0; v < n_vectors; ++v) {
        const V term = hn::Mul(c, hn::LoadU(d, x + r * pitch + v * step));
        V& sum = sums[r * n_vectors + v];
        if constexpr (decltype(first)::value) sum = term;
        else sum = hn::Add(sum, term);
      }
    }
  };
  add(0, std::true_type());
  if constexpr (n_points > 0) {
#pragma GCC unroll 16
    for (int k = 1; k < n_points; ++k) add(k, std::false_type());
  } else {
    for (std::int64_t k = 1; k < rows.n_points; ++k) add(k, std::false_type());
  }
  T* const out = rows.out + j * rows.out_pitch + i;
#pragma GCC unroll 16
  for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < n_vectors; ++v) {
      T* const to = out + r * rows.out_pitch + v * step;
      const V sum = sums[r * n_vectors + v];
      if constexpr (is_streaming) hn::Stream(sum, d, to);
      else hn::StoreU(sum, d, to);
    }
  }
}

// At its ends a row is made of vectors that begin and end with it: what they share with others is written twice, the same.
template <int n_points, bool is_streaming, class T>
HWY_INLINE void sum_row(const WeightedRows<T>& rows, std::int64_t j) {
  constexpr int n_vectors = n_points > 0 ? stencil_vectors_of_few : stencil_vectors_of_many;
  constexpr std::int64_t lanes = stencil_lanes<T>, block = lanes * n_vectors;
  const StencilTag<T> d;
  using Listed = ListedPoints<StencilTag<T>, T>;
  using Points = std::conditional_t<(n_points > 0), HeldPoints<std::max(n_points, 1), StencilTag<T>, T>, Listed>;
  const Points points(Listed{d, rows, j});
  const std::int64_t n = rows.n_columns;
  std::int64_t i = 0;
  if constexpr (is_streaming) {
    const std::int64_t head = elements_to_line(rows.out + j * rows.out_pitch);
    for (; i < head && i + lanes <= n; i += lanes) sum_block<n_points, 1, 1, false>(d, rows, points, j, i, lanes);
    if (i >= head) i = head;
  }
  for (; i + block <= n; i += block) sum_block<n_points, 1, n_vectors, is_streaming>(d, rows, points, j, i, lanes);
  // Not one by one: sums of one vector wait for each other.
  if constexpr (n_vectors > 4) {
    if (i + 4 * lanes <= n) {
      sum_block<n_points, 1, 4, false>(d, rows, points, j, i, lanes);
      i += 4 * lanes;
    }
  }
  if (i + 2 * lanes <= n) {
    sum_block<n_points, 1, 2, false>(d, rows, points, j, i, lanes);
    i += 2 * lanes;
  }
  for (; i + lanes <= n; i += lanes) sum_block<n_points, 1, 1, false>(d, rows, points, j, i, lanes);
  if (i < n) sum_block<n_points, 1, 1, false>(d, rows, points, j, n - lanes, lanes);
}

// Rows of one or two vectors, several at once; two of them begin and end with the row.
template <int n_vectors, bool is_streaming, class D, class T>
HWY_INLINE void sum_short_rows(const D& d, const WeightedRows<T>& rows) {
  constexpr std::int64_t n_at_once = 8 / n_vectors;
  const std::int64_t step = rows.n_columns - static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t j = 0;
  for (; j + n_at_once <= rows.n_rows; j += n_at_once)
    sum_block<0, n_at_once, n_vectors, is_streaming>(d, rows, ListedPoints<D, T>{d, rows, j}, j, 0, step);
  for (; j < rows.n_rows; ++j) sum_block<0, 1, n_vectors, is_streaming>(d, rows, ListedPoints<D, T>{d, rows, j}, j, 0, step);
}

// Rows of less than a vector, by shorter ones.
template <int lanes, class T>
void sum_shorter_rows(const WeightedRows<T>& rows) {
  if (rows.n_columns >= lanes) return sum_short_rows<2, false>(hn::CappedTag<T, static_cast<std::size_t>(lanes)>(), rows);
  if constexpr (lanes > 1) sum_shorter_rows<lanes / 2>(rows);
}

// Whether every row consists of whole lines.
template <class T>
bool has_whole_lines(const WeightedRows<T>& rows) {
  constexpr std::int64_t n_line = stencil_line / sizeof(T);
  return elements_to_line(rows.out) == 0 && rows.n_columns % n_line == 0 && (rows.n_rows == 1 || rows.out_pitch % n_line == 0);
}

// Rows of at most two vectors; false: they are longer.
template <class T>
bool sum_narrow_rows(const WeightedRows<T>& rows, bool is_streaming) {
  constexpr std::int64_t lanes = stencil_lanes<T>;
  if (rows.n_columns > 2 * lanes) return false;
  const StencilTag<T> d;
  if (rows.n_columns < lanes) {
    if constexpr (lanes > 1) sum_shorter_rows<lanes / 2>(rows);
  } else if (rows.n_columns == lanes) {
    if (is_streaming) sum_short_rows<1, true>(d, rows);
    else sum_short_rows<1, false>(d, rows);
  } else {
    if (is_streaming) sum_short_rows<2, true>(d, rows);
    else sum_short_rows<2, false>(d, rows);
  }
  return true;
}

template <int n_points, class T>
void sum_long_rows(const WeightedRows<T>& rows, bool is_streaming) {
  for (std::int64_t j = 0; j < rows.n_rows; ++j) {
    if (is_streaming) sum_row<n_points, true>(rows, j);
    else sum_row<n_points, false>(rows, j);
  }
}

template <class T>
void sum_rows(const WeightedRows<T>& rows) {
  constexpr std::int64_t short_streamed = 512 / sizeof(T);
  if (rows.n_down > 1 && rows.n_rows > 1 && rows.n_columns > 2 * stencil_lanes<T>) return stack_grid(rows);
  const bool is_streaming = rows.is_streaming && (rows.n_columns >= short_streamed || has_whole_lines(rows));
  if (sum_narrow_rows(rows, is_streaming)) return;
  switch (rows.n_points) {
    case 3: return sum_long_rows<3>(rows, is_streaming);
    case 5: return sum_long_rows<5>(rows, is_streaming);
    case 7: return sum_long_rows<7>(rows, is_streaming);
    case 9: return sum_long_rows<9>(rows, is_streaming);
    case 11: return sum_long_rows<11>(rows, is_streaming);
    case 13: return sum_long_rows<13>(rows, is_streaming);
    default: return sum_long_rows<0>(rows, is_streaming);
  }
}

// By vectors that begin and end with the row, where it has one.
template <int lanes, class T>
void copy_rows_by(const CopiedRows<T>& rows) {
  const std::int64_t n = rows.n_columns;
  if constexpr (lanes > 1) {
    if (n < lanes) return copy_rows_by<lanes / 2>(rows);
  }
  const hn::CappedTag<T, static_cast<std::size_t>(lanes)> d;
  for (std::int64_t j = 0; j < rows.n_rows; ++j) {
    const T* const from = rows.from + j * rows.in_pitch;
    T* const to = rows.to + j * rows.out_pitch;
    for (std::int64_t i = 0; i + lanes <= n; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    if (n % lanes != 0) hn::StoreU(hn::LoadU(d, from + n - lanes), d, to + n - lanes);
  }
}
template <class T>
void copy_rows(const CopiedRows<T>& rows) {
  copy_rows_by<stencil_lanes<T>>(rows);
}

inline void stencil_fence() { hwy::FlushStream(); }

inline const StencilKernels* stencil_table() {
  static const StencilKernels kernels = {hwy::TargetName(HWY_TARGET), sum_rows<float>,  sum_rows<double>,  stack_rows<float>,
                                         stack_rows<double>,          copy_rows<float>, copy_rows<double>, stencil_fence};
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
