// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/kd_tree.hpp"

#include <algorithm>

namespace crinkle::interpolation {

template <int n_dimensions>
KdTree<n_dimensions>::KdTree(const SamplePlanes& samples, Executor& executor) {
  const std::int64_t n = samples.n;
  places_.resize(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::array<double, 3> x = samples.place(i);
    for (std::size_t a = 0; a < n_dimensions; ++a) places_[k].x[a] = x[a];
    places_[k].index = i;
  }
  while (n_leaves_ * leaf_samples < n) n_leaves_ *= 2;
  boxes_.resize(static_cast<std::size_t>(2 * n_leaves_ - 1));
  bounds_.resize(static_cast<std::size_t>(n_leaves_ + 1));
  bounds_.back() = n;
  // The upper nodes one level after the other, then what is below each of the last of them.
  constexpr std::int64_t most_parts = 64;
  struct Range {
    std::int64_t begin, end;
  };
  std::vector<Range> level = {{0, n}};
  std::int64_t first = 0;
  while (std::ssize(level) < std::min(most_parts, n_leaves_)) {
    executor.parallel_for(std::ssize(level), [&](std::int64_t k) {
      const Range range = level[static_cast<std::size_t>(k)];
      split(first + k, range.begin, range.end);
    });
    std::vector<Range> next;
    for (const Range range : level) {
      const std::int64_t middle = range.begin + (range.end - range.begin) / 2;
      next.push_back({range.begin, middle});
      next.push_back({middle, range.end});
    }
    first = 2 * first + 1;
    level = std::move(next);
  }
  executor.parallel_for(std::ssize(level), [&](std::int64_t k) {
    const Range range = level[static_cast<std::size_t>(k)];
    build(first + k, range.begin, range.end);
  });
}

// The box of a node, and its samples in two halves.
template <int n_dimensions>
void KdTree<n_dimensions>::split(std::int64_t node, std::int64_t begin, std::int64_t end) {
  Box& box = boxes_[static_cast<std::size_t>(node)];
  const Place* const places = places_.data();
  std::size_t longest = 0;
  for (std::size_t a = 0; a < n_dimensions; ++a) {
    box.least[a] = box.most[a] = places[begin].x[a];
    for (std::int64_t i = begin + 1; i < end; ++i) {
      box.least[a] = std::min(box.least[a], places[i].x[a]);
      box.most[a] = std::max(box.most[a], places[i].x[a]);
    }
    if (box.most[a] - box.least[a] > box.most[longest] - box.least[longest]) longest = a;
  }
  if (node >= first_leaf()) {
    bounds_[static_cast<std::size_t>(node - first_leaf())] = begin;
    return;
  }
  const auto less = [longest](const Place& a, const Place& b) {
    return a.x[longest] != b.x[longest] ? a.x[longest] < b.x[longest] : a.index < b.index;
  };
  const auto from = places_.begin();
  std::nth_element(from + begin, from + begin + (end - begin) / 2, from + end, less);
}

template <int n_dimensions>
void KdTree<n_dimensions>::build(std::int64_t node, std::int64_t begin, std::int64_t end) {
  split(node, begin, end);
  if (node >= first_leaf()) return;
  const std::int64_t middle = begin + (end - begin) / 2;
  build(2 * node + 1, begin, middle);
  build(2 * node + 2, middle, end);
}

template class KdTree<2>;
template class KdTree<3>;

}  // namespace crinkle::interpolation
