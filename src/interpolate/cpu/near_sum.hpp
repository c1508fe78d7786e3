// Sums over the samples near each target.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/cpu/near_blocks.hpp"
#include "interpolate/cpu/nearest.hpp"
#include "interpolate/planes.hpp"
#include "interpolate/shared_places.hpp"

namespace crinkle::interpolation {

template <int n_dimensions>
class NearSum {
 public:
  /// Samples on one place are merged (shared_places.hpp).
  NearSum(const SamplePlanes& samples, const Interpolation& how, Executor& executor);

  /// out[c · n_targets + t].
  template <class T>
  void run(const Targets& targets, std::span<T> out, Executor& executor) const;

  /// Predicts a sample from the others: predictions[(k · n_powers + p) · n_columns + c] of column c for powers[p] and the nearest
  /// neighbours[k] of every sector, 0: all that `search` finds. NaN where fewer than least_neighbours are found. `others` are those of
  /// `shared`, which merged this sum's samples and kept one more of a place than are neighbours.
  void predict(std::int64_t sample, const SamplePlanes& others, const SharedPlaces& shared, NearestSearch<n_dimensions>& search,
               std::span<const double> powers, std::span<const std::int64_t> neighbours, std::span<double> predictions) const;
  /// A search for so many neighbours of each sector, 0: all.
  NearestSearch<n_dimensions> search(std::int64_t neighbours) const { return search(neighbours, reach_); }

 private:
  NearestSearch<n_dimensions> search(std::int64_t neighbours, const Reach& reach) const { return {tree_, neighbours, reach, how_.sectors}; }
  struct Sums;
  class Group;  // near_group.hpp
  /// The number of the sample in a slot.
  std::int64_t index_of(std::int64_t slot) const {
    constexpr std::int64_t slots = NearBlocks<n_dimensions>::leaf_slots;
    return tree_.place(tree_.leaf(tree_.first_leaf() + slot / slots)[0] + slot % slots).index;
  }
  template <class T>
  void run_groups(const Targets& targets, std::span<T> out, Executor& executor) const;
  void add_up(std::span<const Neighbour> neighbours, double power, Sums& sums, double* to, std::int64_t pitch) const;

  SamplePlanes const& samples_;
  Interpolation how_;
  Reach reach_;
  KdTree<n_dimensions> tree_;
  NearBlocks<n_dimensions> blocks_;
  std::vector<double> values_;   // [slots][n_columns]
  std::vector<double> weights_;  // [slots], or none
};

}  // namespace crinkle::interpolation
