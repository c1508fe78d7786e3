// Sums over all samples within a tolerance: near samples one by one, far cells of a k-d tree as polynomials
// (interpolate/cpu/expansion.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/cpu/expansion.hpp"
#include "interpolate/cpu/full_sum.hpp"
#include "interpolate/cpu/target_groups.hpp"
#include "interpolate/planes.hpp"
#include "interpolate/scaled.hpp"

namespace crinkle::interpolation {

/// Samples in cells: node 0 has all of them, 2i + 1 and 2i + 2 are the halves of node i.
struct Cells {
  struct Cell {
    double centre[3];
    double radius;  // no sample is farther from the centre
  };
  std::vector<Cell> nodes;           // [2 n_leaves − 1]
  std::vector<std::int64_t> bounds;  // [n_leaves + 1]: where the samples of leaves begin
  SamplePlanes samples;              // in the order of the leaves

  Cells(const SamplePlanes& given, Executor& executor);
  std::int64_t first_leaf() const noexcept { return std::ssize(bounds) - 2; }

 private:
  template <int n_dimensions>
  void divide(const SamplePlanes& given, Executor& executor);
};

class TreeSum {
 public:
  /// Whether a tree can save more than it costs to make.
  static bool is_of_use(const SamplePlanes& samples, const Interpolation& how);

  /// Requires `full` to stay where it is, which is of the same samples.
  TreeSum(const SamplePlanes& samples, const Interpolation& how, const FullSum& full, Executor& executor);

  /// out[c · n_targets + t], within the tolerance of the column's range; in full where that is less work.
  template <class T>
  void run(const Targets& targets, std::span<T> out, Executor& executor) const;
  /// The same by the tree, whatever the work.
  template <class T>
  void run_by_tree(const Targets& targets, const TargetGroups& groups, std::span<T> out, Executor& executor) const;
  /// The work of some of the groups of these targets as a part of that of the full sum.
  template <class T>
  double share_of_full(const Targets& targets, const TargetGroups& groups, Executor& executor) const;

 private:
  template <class T>
  class Group;
  template <class T, class Sum>
  void run_groups(const Targets& targets, const TargetGroups& groups, std::span<T> out, Executor& executor) const;
  template <class Sum>
  double work_of(const Targets& targets, const TargetGroups& groups, Executor& executor) const;
  void add_moments(Executor& executor);
  double* moments_of(std::int64_t node) { return moments_.data() + node * n_moments(); }
  std::int64_t n_sums() const noexcept { return float64_.n_columns() + 1; }
  std::int64_t n_moments() const noexcept { return n_sums() * monomials_.n(); }

  const FullSum& full_;
  Rule rule_;
  double tolerance_;
  Monomials monomials_;
  Acceptance of_float32_, of_float64_;
  Cells cells_;
  ScaledSamples<float> float32_;
  ScaledSamples<double> float64_;
  double smoothing_ = 0, all_weights_ = 0;  // a square, and a sum, as scaled
  std::vector<double> moments_;             // [nodes][n_sums][monomials]: of the columns, then of the weights
};

}  // namespace crinkle::interpolation
