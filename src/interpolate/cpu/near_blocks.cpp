// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/near_blocks.hpp"

#include <algorithm>
#include <limits>

#include "base/checked.hpp"

namespace crinkle::interpolation {

template <int n_dimensions>
NearBlocks<n_dimensions>::NearBlocks(const KdTree<n_dimensions>& tree, Executor& executor) {
  constexpr std::int64_t nodes_together = 4096;
  constexpr double none = std::numeric_limits<double>::infinity();  // from everything, so that no finite bound reaches it
  const std::int64_t n_leaves = tree.first_leaf() + 1;
  const auto each = [&](std::int64_t n, const auto& body) {
    executor.parallel_for(ceil_divide(n, nodes_together), [&](std::int64_t k) {
      for (std::int64_t i = k * nodes_together; i < std::min(n, (k + 1) * nodes_together); ++i) body(i);
    });
  };
  leaves_.resize(index(n_leaves * n_dimensions * leaf_slots));
  each(n_leaves, [&](std::int64_t leaf) {
    const auto [begin, end] = tree.leaf(tree.first_leaf() + leaf);
    double* const to = leaves_.data() + leaf * n_dimensions * leaf_slots;
    for (std::int64_t i = 0; i < leaf_slots; ++i)
      for (int a = 0; a < n_dimensions; ++a) to[a * leaf_slots + i] = begin + i < end ? tree.place(begin + i).x[a] : none;
  });
  // An odd number of levels begins with one alone: the root has two nodes, and two that no target is near.
  std::int64_t levels = 0;
  while (std::int64_t{1} << levels < n_leaves) ++levels;
  for (std::int64_t level = 0; level < levels;) {
    const std::int64_t n = std::int64_t{1} << level;
    level += level == 0 && levels % 2 != 0 ? 1 : 2;
    const std::int64_t n_behind = std::int64_t{1} << level;
    std::vector<double>& boxes = steps_.emplace_back(index(n * 8 * n_dimensions), none);
    each(n_behind, [&](std::int64_t i) {
      const auto& box = tree.box(n_behind - 1 + i);
      double* const to = boxes.data() + i / 4 * 8 * n_dimensions + i % 4;
      for (int a = 0; a < n_dimensions; ++a) {
        to[4 * a] = box.least[a];
        to[4 * (n_dimensions + a)] = box.most[a];
      }
    });
  }
}

template class NearBlocks<2>;
template class NearBlocks<3>;

}  // namespace crinkle::interpolation
