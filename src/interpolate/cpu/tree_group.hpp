// The sums of one group of targets: what is near goes through the kernels of full sums, what is far through those of polynomials.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "interpolate/cpu/chunk.hpp"
#include "interpolate/cpu/far_kernels.hpp"
#include "interpolate/cpu/tree_sum.hpp"

namespace crinkle::interpolation {

template <class T>
class TreeSum::Group {
 public:
  explicit Group(const TreeSum& tree)
      : tree_(tree),
        levels_(acceptance().levels()),
        least_squares_(levels_.size()),
        chunk_(samples(), tree.rule_),
        sums_(index(tree.n_moments() * simd::FarCells::together)),
        powers_(index(tree.monomials_.n() * lanes)),
        far_(index(tree.n_sums() * lanes)) {}

  void sum(const Targets& targets, std::span<const std::int64_t> numbers) {
    n_ = std::ssize(numbers);
    n_pairs_ = 0;
    first_.clear();
    const auto at = [&](std::int64_t t) { return targets.at(numbers[index(t)]); };
    place(at);
    chunk_.begin(n_, at);
    // The nearest samples first. Their weights are a bound below the sum, which tells how far cells may be for what is beyond.
    find_near();
    const bool are_all_far = ranges_.empty();
    if (are_all_far) add_range(nearest_leaf());
    for (const auto& [begin, end] : ranges_) chunk_.find_least(begin, end);
    chunk_.use_least();
    add_ranges();
    const double least_weight = least_weight_sum();
    if (are_all_far) chunk_.clear_sums();
    else if (!std::isfinite(least_weight)) return;  // all targets are on samples or next to them
    find_far(std::isfinite(least_weight) ? least_weight / tree_.all_weights_ : 0);
    add_ranges();
    add_far();
  }

  bool is_right(std::int64_t t) const { return chunk_.is_right(t, samples_n()); }
  double value(std::int64_t t, std::int64_t c) const { return chunk_.value(t, c); }
  /// The last sum() had so many samples that every target met, and so many cells.
  std::int64_t n_pairs() const noexcept { return n_pairs_; }
  std::int64_t n_far() const noexcept { return std::ssize(first_); }

 private:
  static constexpr std::int64_t lanes = TargetGroups::most_targets;
  struct Apart {
    double square, radius_square;
    bool is_within(double ratio) const { return radius_square < ratio * ratio * square; }
  };

  const ScaledSamples<T>& samples() const {
    if constexpr (sizeof(T) == 4) return tree_.float32_;
    else return tree_.float64_;
  }
  const Acceptance& acceptance() const { return sizeof(T) == 4 ? tree_.of_float32_ : tree_.of_float64_; }
  std::int64_t samples_n() const { return tree_.cells_.bounds.back(); }
  bool is_leaf(std::int64_t node) const { return node >= tree_.cells_.first_leaf(); }

  // Sets where the group is, in scaled coordinates.
  template <class At>
  void place(const At& at) {
    std::array<double, 3> least{}, most{};
    for (std::int64_t t = 0; t < n_; ++t) {
      const std::array<double, 3> q = at(t);
      for (std::size_t a = 0; a < 3; ++a) {
        const double x = a < index(tree_.monomials_.n_dimensions()) ? tree_.float64_.scaled(a, q[a]) : 0;
        offsets_[a][index(t)] = x;
        least[a] = t == 0 ? x : std::min(least[a], x);
        most[a] = t == 0 ? x : std::max(most[a], x);
      }
    }
    for (std::size_t a = 0; a < 3; ++a) centre_[a] = least[a] / 2 + most[a] / 2;
    double square = 0;
    for (std::int64_t t = 0; t < n_; ++t) {
      double here = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        double& offset = offsets_[a][index(t)];
        offset -= centre_[a];
        here += offset * offset;
      }
      square = std::max(square, here);
    }
    constexpr double rounding = 1 + 1e-12;
    radius_ = std::sqrt(square) * rounding;
  }

  Apart apart(std::int64_t node) const {
    const Cells::Cell& cell = tree_.cells_.nodes[index(node)];
    double square = tree_.smoothing_;
    for (std::size_t a = 0; a < 3; ++a) square += (centre_[a] - cell.centre[a]) * (centre_[a] - cell.centre[a]);
    const double radius = radius_ + cell.radius;
    return {square, radius * radius};
  }

  /// Visits nodes from the root on, in the order of their samples; those for which visit(node, apart, is_beyond) is true are opened. A node
  /// is beyond where it may be far at some level, or is in one that may.
  template <class Visit>
  void descend(const Visit& visit) {
    const double most = levels_.back().ratio;
    stack_.assign(1, {0, false});
    while (!stack_.empty()) {
      const auto [node, was_beyond] = stack_.back();
      stack_.pop_back();
      const Apart here = apart(node);
      const bool is_beyond = was_beyond || here.is_within(most);
      if (!visit(node, here, is_beyond)) continue;
      stack_.push_back({2 * node + 2, is_beyond});
      stack_.push_back({2 * node + 1, is_beyond});
    }
  }

  // Leaves that are not beyond.
  void find_near() {
    descend([&](std::int64_t node, const Apart&, bool is_beyond) {
      if (is_leaf(node) && !is_beyond) add_range(node);
      return !is_leaf(node) && !is_beyond;
    });
  }
  std::int64_t nearest_leaf() const {
    std::int64_t node = 0;
    while (!is_leaf(node)) node = apart(2 * node + 2).square < apart(2 * node + 1).square ? 2 * node + 2 : 2 * node + 1;
    return node;
  }

  // Everything else: in cells that may be far, or one by one.
  void find_far(double mean_weight) {
    for (std::size_t k = 0; k < levels_.size(); ++k) least_squares_[k] = acceptance().least_square(levels_[k], mean_weight);
    for (auto& numbers : away_) numbers.clear();
    weights_.clear(), inverses_.clear(), first_.clear();
    descend([&](std::int64_t node, const Apart& here, bool is_beyond) {
      for (std::size_t k = 0; k < levels_.size() && here.square >= least_squares_[k]; ++k) {
        if (here.is_within(levels_[k].ratio)) {
          add_cell(node, here.square);
          return false;
        }
      }
      if (is_leaf(node) && is_beyond) add_range(node);
      return !is_leaf(node);
    });
  }
  void add_cell(std::int64_t node, double square) {
    for (std::size_t a = 0; a < 3; ++a) away_[a].push_back(centre_[a] - tree_.cells_.nodes[index(node)].centre[a]);
    weights_.push_back(weight_of(square, tree_.rule_.power));
    inverses_.push_back(1 / square);
    first_.push_back(node * tree_.n_moments());
  }

  void add_range(std::int64_t leaf) {
    const std::size_t k = index(leaf - tree_.cells_.first_leaf());
    const std::int64_t begin = tree_.cells_.bounds[k], end = tree_.cells_.bounds[k + 1];
    if (!ranges_.empty() && ranges_.back()[1] == begin) ranges_.back()[1] = end;
    else ranges_.push_back({begin, end});
  }
  void add_ranges() {
    for (const auto& [begin, end] : ranges_) {
      chunk_.add(begin, end);
      n_pairs_ += end - begin;
    }
    ranges_.clear();
  }

  // Infinite where no target has a finite sum.
  double least_weight_sum() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t t = 0; t < n_; ++t) {
      const double weights = chunk_.weights(t);
      if (std::isfinite(weights)) least = std::min(least, weights);
    }
    return least;
  }

  void add_far() {
    const Monomials& monomials = tree_.monomials_;
    const std::int64_t n = monomials.n(), n_sums = tree_.n_sums();
    if (first_.empty()) return;
    const std::int64_t n_cells = std::ssize(first_);
    const std::size_t n_padded = index(ceil_divide(n_cells, simd::FarCells::together) * simd::FarCells::together);
    for (auto& numbers : away_) numbers.resize(n_padded, 0);
    weights_.resize(n_padded, 0), inverses_.resize(n_padded, 0), first_.resize(n_padded, 0);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    simd::FarKernels::best().add({.monomials = &monomials,
                                  .away = {away_[0].data(), away_[1].data(), away_[2].data()},
                                  .weight = weights_.data(),
                                  .inverse = inverses_.data(),
                                  .first = first_.data(),
                                  .n_cells = std::ssize(first_),
                                  .moments = tree_.moments_.data(),
                                  .n_sums = n_sums,
                                  .sums = sums_.data()});
    first_.resize(index(n_cells));
    std::fill(far_.begin(), far_.end(), 0.0);
    std::fill(powers_.begin(), powers_.begin() + lanes, 1.0);
    for (std::int64_t k = 0; k < n; ++k) {
      double* const power = powers_.data() + k * lanes;
      if (k > 0) {
        const Monomials::From& from = monomials.from(k);
        const double *const before = powers_.data() + from.lower * lanes, *const offset = offsets_[from.axis].data();
        for (std::int64_t t = 0; t < lanes; ++t) power[t] = before[t] * offset[t] * from.factor;
      }
      for (std::int64_t s = 0; s < n_sums; ++s) {
        const double* const parts = sums_.data() + (s * n + k) * simd::FarCells::together;
        double coefficient = 0;
        for (std::int64_t i = 0; i < simd::FarCells::together; ++i) coefficient += parts[i];
        double* const to = far_.data() + s * lanes;
        for (std::int64_t t = 0; t < lanes; ++t) to[t] += coefficient * power[t];
      }
    }
    for (std::int64_t t = 0; t < n_; ++t) chunk_.add_sums(t, far_.data() + t, lanes);
  }

  const TreeSum& tree_;
  const std::vector<Acceptance::Level>& levels_;
  std::vector<double> least_squares_;  // [levels]
  Chunk<T> chunk_;
  std::int64_t n_ = 0, n_pairs_ = 0;
  std::array<double, 3> centre_{};
  double radius_ = 0;
  std::array<std::array<double, lanes>, 3> offsets_{};  // of the targets from the centre
  struct Waiting {
    std::int64_t node;
    bool is_beyond;
  };
  std::vector<Waiting> stack_;
  std::vector<std::array<std::int64_t, 2>> ranges_;  // of samples
  std::array<std::vector<double>, 3> away_;          // of the far cells, from here on
  std::vector<double> weights_, inverses_;
  std::vector<std::int64_t> first_;
  std::vector<double> sums_, powers_, far_;  // [n_sums][monomials][together], [monomials][lanes], [n_sums][lanes]
};

}  // namespace crinkle::interpolation
