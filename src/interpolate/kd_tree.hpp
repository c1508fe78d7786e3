// A balanced k-d tree over samples: every node is split in two equal halves along the longest side of the box of its samples. Boxes are
// tight, so vacant areas cost nothing, and halves are equal, so neither do clusters. Leaves hold up to leaf_samples samples, one after the
// other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

template <int n_dimensions>
class KdTree {
 public:
  static constexpr std::int64_t leaf_samples = 8;
  struct Box {
    double least[std::size_t{n_dimensions}], most[std::size_t{n_dimensions}];
  };
  /// A sample.
  struct Place {
    double x[std::size_t{n_dimensions}];
    std::int64_t index;
  };

  KdTree(const SamplePlanes& samples, Executor& executor);

  std::int64_t n() const noexcept { return std::ssize(places_); }
  const Place& place(std::int64_t position) const { return places_[static_cast<std::size_t>(position)]; }
  /// Nodes: 0 is the root, 2i + 1 and 2i + 2 are the halves of i. The nodes from first_leaf() on are leaves, in the order of their samples.
  const Box& box(std::int64_t node) const { return boxes_[static_cast<std::size_t>(node)]; }
  std::span<const Box> boxes() const noexcept { return boxes_; }
  std::int64_t first_leaf() const noexcept { return n_leaves_ - 1; }
  /// The samples of a leaf: positions begin to end.
  std::array<std::int64_t, 2> leaf(std::int64_t node) const {
    return {bounds_[static_cast<std::size_t>(node - first_leaf())], bounds_[static_cast<std::size_t>(node - first_leaf() + 1)]};
  }

  /// The positions at which leaves begin, and n() behind them.
  const std::vector<std::int64_t>& bounds() const noexcept { return bounds_; }

 private:
  void build(std::int64_t node, std::int64_t begin, std::int64_t end);
  void split(std::int64_t node, std::int64_t begin, std::int64_t end);

  std::int64_t n_leaves_ = 1;  // a power of two
  std::vector<Place> places_;
  std::vector<Box> boxes_;            // [2 n_leaves − 1]
  std::vector<std::int64_t> bounds_;  // [n_leaves + 1]: where leaves begin
};

}  // namespace crinkle::interpolation
