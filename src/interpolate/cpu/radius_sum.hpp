// Sums over all samples within a radius, in the order of a k-d tree's leaves: nothing is sorted, and none of it depends on threads. Targets
// that lie together share one walk of the tree.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/cpu/near_blocks.hpp"
#include "interpolate/cpu/near_kernels.hpp"
#include "interpolate/cpu/radius_kernels.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

template <int n_dimensions>
class RadiusSum {
 public:
  RadiusSum(const SamplePlanes& samples, const Interpolation& how, Executor& executor);

  /// out[c · n_targets + t].
  template <class T>
  void run(const Targets& targets, std::span<T> out, Executor& executor) const;

 private:
  class Group;
  static constexpr double greatest_square = std::numeric_limits<double>::max() / 4;

  SamplePlanes const& samples_;
  Interpolation how_;
  std::optional<NearBlocks<n_dimensions>> blocks_;
  std::vector<double> values_;   // [n_columns][slots]
  std::vector<double> weights_;  // [slots], or none
  simd::RadiusSamples known_;
  double nearest_ = 0;  // square + smoothing: of nearer samples, weights relative to the radius may be too large
};

}  // namespace crinkle::interpolation
