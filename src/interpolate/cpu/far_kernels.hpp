// Sums over far cells as polynomials around a group of targets, one table of functions per instruction set (interpolate/cpu/expansion.hpp
// has the equations). Lanes are cells. With moments m_α = Σ z (−σ)^α / α! of a cell, the sum of w z is
//     Σ_β (δ^β / β!) L_β,    L_β = Σ_α (α + β)! b_(α+β) m_α,    |α| + |β| ≤ degree.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "interpolate/cpu/expansion.hpp"

namespace crinkle::simd {

struct FarCells {
  static constexpr std::int64_t together = 8;

  const interpolation::Monomials* monomials = nullptr;
  const double* away[3] = {};           // [n_cells]: y
  const double* weight = nullptr;       // [n_cells]: S^(−λ), 0 for a cell that is none
  const double* inverse = nullptr;      // [n_cells]: 1/S
  const std::int64_t* first = nullptr;  // [n_cells]: where a cell's moments begin
  std::int64_t n_cells = 0;             // a multiple of `together`
  const double* moments = nullptr;      // [n_sums][monomials] of a cell
  std::int64_t n_sums = 0;
  double* sums = nullptr;  // [n_sums][monomials][together]: L in parts, to which this is added
};

struct FarKernels {
  const char* target;
  void (*add)(const FarCells& cells);

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const FarKernels& best();
  static std::vector<const FarKernels*> all();
};

}  // namespace crinkle::simd
