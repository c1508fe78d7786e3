// Stencils of bytes in float32 lanes: sums that are certain to round as the definition's do, which are in float64; the others are made anew
// (cpu/rounded_kernels.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stencil/integer.hpp"

namespace crinkle {

struct RoundedList {
  std::vector<std::int64_t> rows, columns;  // cells along the last axis but one, and along the line
  std::vector<float> weights;
  std::vector<double> exact;  // the weights

  std::int64_t n_points() const { return static_cast<std::int64_t>(weights.size()); }
};

struct RoundedSweep {
  RoundedList down, across;  // as in IntegerSweep, in the order of the definition
  ByteReach reach;
  float certain = 0;  // how far a sum may lie from a whole number to become it
};

/// Requires a plan with its shape and stages.
std::optional<RoundedSweep> rounded_sweep(const Sweep& sweep, const SweepPlan& plan, const SweepPlaces& source,
                                          const SweepPlaces& destination);

}  // namespace crinkle
