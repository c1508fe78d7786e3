// A k-d tree as vectors read it: boxes of four nodes together, two levels of the tree a step, and leaves of 8 samples an axis after the
// other. Slot 8 l + i is sample i of leaf l; leaves of fewer samples end with infinity.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/kd_tree.hpp"

namespace crinkle::interpolation {

template <int n_dimensions>
class NearBlocks {
 public:
  static constexpr std::int64_t leaf_slots = KdTree<n_dimensions>::leaf_samples;

  NearBlocks(const KdTree<n_dimensions>& tree, Executor& executor);

  /// From the root, node 0, so many steps lead to the leaves.
  std::int64_t n_steps() const noexcept { return std::ssize(steps_); }
  /// The boxes of nodes 4i … 4i + 3 behind a step for node i before it: [nodes][least, most of every axis][4].
  const double* boxes(std::int64_t step) const { return steps_[static_cast<std::size_t>(step)].data(); }
  const double* leaves() const noexcept { return leaves_.data(); }
  double place(std::int64_t slot, int axis) const {
    return leaves_[static_cast<std::size_t>((slot / leaf_slots * n_dimensions + axis) * leaf_slots + slot % leaf_slots)];
  }
  std::int64_t n_slots() const noexcept { return std::ssize(leaves_) / n_dimensions; }

 private:
  std::vector<std::vector<double>> steps_;
  std::vector<double> leaves_;  // [leaves][n_dimensions][leaf_slots]
};

}  // namespace crinkle::interpolation
