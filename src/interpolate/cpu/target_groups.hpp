// Targets in groups of neighbours: tiles of a raster's cells, about as wide as high, or leaves of a k-d tree over places.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

class TargetGroups {
 public:
  static constexpr std::int64_t most_targets = 64;

  /// Requires `targets` to stay where they are.
  TargetGroups(const Targets& targets, Executor& executor);

  std::int64_t n() const noexcept { return n_; }
  /// The numbers of the targets of group g, 1 to most_targets. Every target is in one group, and halves and quarters of them lie together,
  /// too.
  void targets_of(std::int64_t g, std::vector<std::int64_t>& to) const;

 private:
  template <int n_dimensions>
  void group_places(const Targets& targets, Executor& executor);

  std::int64_t n_ = 0;
  std::array<std::int64_t, 3> extents_{1, 1, 1}, tile_{1, 1, 1}, n_tiles_{1, 1, 1};
  std::vector<std::array<std::int64_t, 3>> cells_;  // of a tile, in order
  std::vector<std::int64_t> order_, bounds_;        // of places: group g has order_[bounds_[g]] … order_[bounds_[g + 1] − 1]
};

}  // namespace crinkle::interpolation
