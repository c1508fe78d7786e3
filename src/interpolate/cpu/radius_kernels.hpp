// The innermost loop of sums over all samples within a radius, one table of functions per instruction set. Lanes are the samples of a leaf,
// eight sums side by side on every instruction set, so that all of them add up in one order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "interpolate/reach.hpp"

namespace crinkle::simd {

/// Samples in leaves of 8, and how they count: by (greatest / (square + smoothing))^(p/2), greatest being the square of
/// the radius, with the smoothing. Squares that a reach holds are finite.
struct RadiusSamples {
  static constexpr std::int64_t most_leaves = 512;  // in one call

  const double* leaves = nullptr;  // [leaves][n_dimensions][8], infinity where there is none
  const double* values = nullptr;  // [n_columns][leaves][8]
  const double* scales = nullptr;  // [leaves][8]: the samples' own weights, or none
  const double* zeros = nullptr;   // [n_columns], which values are summed relative to
  std::int64_t n_leaves = 0, n_columns = 1;
  interpolation::Reach reach;
  double smoothing = 0, power = 2;  // the first a square
};

/// Room for one call.
struct RadiusRoom {
  double weights[8 * RadiusSamples::most_leaves];
  std::int64_t met[RadiusSamples::most_leaves];  // leaves with samples within the radius
};

struct RadiusSums {
  std::int64_t n = 0;  // samples
  double least = 0;    // square + smoothing; infinity: none
  double weights = 0;
};

struct RadiusKernels {
  const char* target;
  /// Sums, in 2 and in 3 dimensions, over those samples of up to most_leaves leaves that q reaches. sums[c] += Σ w (value − zeros[c]).
  RadiusSums (*sum[2])(const RadiusSamples& samples, const double* q, const std::int64_t* leaves, std::int64_t n, RadiusRoom& room,
                       double* sums);

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const RadiusKernels& best();
  static std::vector<const RadiusKernels*> all();
};

}  // namespace crinkle::simd
