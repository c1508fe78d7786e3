// Stencils of bytes that are the same in whole numbers: every coefficient is a whole number over one divisor D. The definition's sum s,
// were it in float32 alone, lies within a bound of the exact one S / D, so it rounds as S / D does where
//     D is a power of two and all sums are exact in float32, or
//     D is odd, so that S / D is at least 1 / 2D from any half, and the bound is less.
// S fits 16 bits. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "crinkle/sweeper.hpp"

namespace crinkle {

struct SweepPlan;
struct SweepShape;
struct SweepPlaces;

/// Whether cells of a line lie side by side.
bool is_dense_line(const SweepShape& shape, const SweepPlaces& places);

/// Σ_k weights[k] · in[y + rows[k]][x + columns[k]].
struct IntegerList {
  std::vector<std::int64_t> rows, columns;  // cells along the last axis but one, and along the line
  std::vector<std::int16_t> weights;
  bool are_ones = true;

  std::int64_t n_points() const { return static_cast<std::int64_t>(weights.size()); }
};

/// S / D: a shift by `shift`, half to even, or (S + half) · magic / 2^(16 + shift) for an odd D, S not below 0.
struct IntegerDivision {
  bool is_odd = false;
  int shift = 0;
  std::int16_t half = 0;
  std::uint16_t magic = 0;
};

/// How far a stencil reaches along the last axis but one, and along the line.
struct ByteReach {
  std::array<std::int64_t, 2> below = {}, above = {};

  bool is_short() const { return below[0] + above[0] < 129 && below[1] + above[1] < 4096; }
};

struct IntegerSweep {
  IntegerList down, across;  // sums of rows, if any, then sums of those (all rows are 0) or of the source
  IntegerDivision division;
  ByteReach reach;

  std::int64_t n_points() const { return down.n_points() + across.n_points(); }
};

/// Nothing where it reaches along other axes, or too far for rows that stay in a cache. Requires a plan with its shape and stages.
std::optional<ByteReach> byte_reach(const SweepPlan& plan);

/// Requires a plan with its shape and stages.
std::optional<IntegerSweep> integer_sweep(const Sweep& sweep, const SweepPlan& plan, const SweepPlaces& source,
                                          const SweepPlaces& destination);

}  // namespace crinkle
