// The innermost loops of linear stencils, one table of functions per instruction set, chosen as those of kernels.hpp:
//     out[j · out_pitch + i] = Σ_k coefficients[k] · from[k][j · pitches[k] + i],   0 ≤ j < n_rows, 0 ≤ i < n_columns,
// in the order of k, every product and every sum rounded by itself: the same on every instruction set. This file's sources must be
// compiled without contraction of products and sums (-ffp-contract=off).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace crinkle::simd {

/// Distances are in elements. `out` shares nothing with what is read; at least one point.
template <class T>
struct WeightedRows {
  const T* const* from = nullptr;         // [n_points]
  const std::int64_t* pitches = nullptr;  // [n_points]
  T* out = nullptr;
  const T* coefficients = nullptr;  // [n_points]
  std::int64_t n_points = 0;
  std::int64_t n_rows = 0, n_columns = 0;
  std::int64_t out_pitch = 0;
  bool is_streaming = false;  // whole lines pass by the caches; then fence()
  // Of a list that is a grid (Stage); then from[k + n_across] is one row behind from[k] within a plane, but for single rows.
  std::int64_t n_down = 0, n_across = 0;
};

/// The most rows that are made together, and the most places of rows, and along them, of a list that is made so.
inline constexpr std::int64_t rows_fused_at_once = 4, most_stacked = 64;

/// Rows of a list that is a grid, made together so that a row that several see is read once: row r is
///     Σ_p Σ_k Σ_a coefficients[p][k][a] · rows[p][r + k][aside[a] + i],   0 ≤ r < n_rows, at most rows_fused_at_once.
/// Distances are in elements.
template <class T>
struct StackedRows {
  const T* const* rows = nullptr;       // [n_planes][n_down + n_rows − 1]
  const std::int64_t* aside = nullptr;  // [n_across]
  const T* coefficients = nullptr;      // [n_planes][n_down][n_across]
  std::int64_t n_planes = 1, n_down = 1, n_across = 1;
  T* out = nullptr;
  std::int64_t n_rows = 0, n_columns = 0;
  std::int64_t out_pitch = 0;
  bool is_streaming = false;
};

/// Short rows that share nothing, of one element at least.
template <class T>
struct CopiedRows {
  const T* from = nullptr;
  T* to = nullptr;
  std::int64_t n_rows = 0, n_columns = 0;
  std::int64_t in_pitch = 0, out_pitch = 0;
};

struct StencilKernels {
  const char* target;
  void (*sum_float32)(const WeightedRows<float>& rows);
  void (*sum_float64)(const WeightedRows<double>& rows);
  void (*stack_float32)(const StackedRows<float>& rows);
  void (*stack_float64)(const StackedRows<double>& rows);
  void (*copy_float32)(const CopiedRows<float>& rows);
  void (*copy_float64)(const CopiedRows<double>& rows);
  void (*fence)();

  void sum(const WeightedRows<float>& rows) const { sum_float32(rows); }
  void sum(const WeightedRows<double>& rows) const { sum_float64(rows); }
  void sum(const StackedRows<float>& rows) const { stack_float32(rows); }
  void sum(const StackedRows<double>& rows) const { stack_float64(rows); }
  void copy(const CopiedRows<float>& rows) const { copy_float32(rows); }
  void copy(const CopiedRows<double>& rows) const { copy_float64(rows); }

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const StencilKernels& best();
  static std::vector<const StencilKernels*> all();
};

}  // namespace crinkle::simd
