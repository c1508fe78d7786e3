// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/target_groups.hpp"

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"
#include "interpolate/kd_tree.hpp"
#include "interpolate/tiles.hpp"

namespace crinkle::interpolation {

TargetGroups::TargetGroups(const Targets& targets, Executor& executor) {
  if (targets.n() == 0) return;
  if (!targets.is_raster()) {
    if (targets.n_dimensions() == 2) group_places<2>(targets, executor);
    else group_places<3>(targets, executor);
    return;
  }
  extents_ = targets.extents();
  const std::array<std::int64_t, 3> pitch = {1, extents_[0], extents_[0] * extents_[1]};
  double lengths[3] = {};  // of the steps
  for (std::size_t a = 0; a < 3; ++a) {
    if (extents_[a] == 1) continue;
    const std::array<double, 3> from = targets.at(0), to = targets.at(pitch[a]);
    lengths[a] = std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  }
  cells_ = {{0, 0, 0}};
  // The longest side is the one to halve: so tiles grow along the axis where they are shortest.
  for (std::int64_t n = 1; n < most_targets; n *= 2) {
    const std::size_t shortest = shortest_axis(tile_, extents_, lengths);
    if (shortest == 3) break;
    for (std::size_t k = 0; k < index(n); ++k) {
      std::array<std::int64_t, 3> cell = cells_[k];
      cell[shortest] += tile_[shortest];
      cells_.push_back(cell);
    }
    tile_[shortest] *= 2;
  }
  n_ = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    n_tiles_[a] = ceil_divide(extents_[a], tile_[a]);
    n_ *= n_tiles_[a];
  }
}

template <int n_dimensions>
void TargetGroups::group_places(const Targets& targets, Executor& executor) {
  SamplePlanes places;
  places.n_dimensions = n_dimensions;
  places.n = targets.n();
  for (std::size_t a = 0; a < index(n_dimensions); ++a) places.places[a].resize(index(places.n));
  for (std::int64_t t = 0; t < places.n; ++t) {
    const std::array<double, 3> q = targets.at(t);
    for (std::size_t a = 0; a < index(n_dimensions); ++a) places.places[a][index(t)] = q[a];
  }
  const KdTree<n_dimensions> tree(places, executor);
  constexpr std::int64_t leaves_together = most_targets / KdTree<n_dimensions>::leaf_samples;
  for (std::int64_t p = 0; p < places.n; ++p) order_.push_back(tree.place(p).index);
  for (std::int64_t leaf = 0; leaf <= tree.first_leaf(); leaf += leaves_together) bounds_.push_back(tree.leaf(tree.first_leaf() + leaf)[0]);
  bounds_.push_back(places.n);
  n_ = std::ssize(bounds_) - 1;
}

void TargetGroups::targets_of(std::int64_t g, std::vector<std::int64_t>& to) const {
  to.clear();
  if (!bounds_.empty()) {
    to.assign(order_.begin() + bounds_[index(g)], order_.begin() + bounds_[index(g + 1)]);
    return;
  }
  const std::array<std::int64_t, 3> tile = {g % n_tiles_[0], g / n_tiles_[0] % n_tiles_[1], g / n_tiles_[0] / n_tiles_[1]};
  for (const std::array<std::int64_t, 3>& cell : cells_) {
    std::array<std::int64_t, 3> at{};
    for (std::size_t a = 0; a < 3; ++a) at[a] = tile[a] * tile_[a] + cell[a];
    if (at[0] < extents_[0] && at[1] < extents_[1] && at[2] < extents_[2])
      to.push_back((at[2] * extents_[1] + at[1]) * extents_[0] + at[0]);
  }
}

}  // namespace crinkle::interpolation
