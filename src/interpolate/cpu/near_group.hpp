// The k nearest samples of targets that lie together, and their sums. The tree is walked once for all of them, by how far boxes and samples
// are from the box of the targets; where too many leaves are near, the group goes on in quarters. Each target then has few candidates, in
// vectors. How far is far is guessed, from what the targets before have reached, and checked: who has k samples within the guess has the
// nearest, and the others are searched for alone. A bound that needs no check are the distances from the last target's neighbours: far from
// all samples, where a group is wider than what the samples differ by, it is the better one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "interpolate/cpu/near_kernels.hpp"
#include "interpolate/cpu/near_sum.hpp"

namespace crinkle::interpolation {

template <int n_dimensions>
class NearSum<n_dimensions>::Group {
 public:
  static constexpr std::int64_t most_targets = simd::NearTargets::together;
  static constexpr std::int64_t most_neighbours = 256;

  Group(const NearSum& near, const Reach& reach)
      : near_(near),
        k_(near.how_.neighbours),
        within_(reach),
        most_nodes_(16 * (n_dimensions - 1) + k_ / 2 * (n_dimensions - 1)),
        search_(near.search(k_, reach)),
        witnesses_(index(k_ * n_dimensions)),
        squares_(index(k_ * most_targets)),
        weights_(squares_.size()),
        scales_(near.weights_.empty() ? 0 : squares_.size()),
        values_(squares_.size() * index(near.samples_.n_columns())),
        out_(index(near.samples_.n_columns() * most_targets)) {
    constexpr std::size_t room = simd::NearCandidates::slots + 16;
    numbers_.resize(room * (n_dimensions + 2));
    slots_.resize(room * 2);
    for (std::size_t a = 0; a < n_dimensions; ++a) candidates_.place[a] = numbers_.data() + a * room;
    candidates_.squares = numbers_.data() + n_dimensions * room;
    candidates_.keys = candidates_.squares + room;
    candidates_.at = slots_.data();
    candidates_.sorted = slots_.data() + room;
  }

  /// Sums for up to most_targets targets.
  void sum(const Targets& targets, std::span<const std::int64_t> numbers) {
    const std::int64_t n = std::ssize(numbers);
    for (std::int64_t t = 0; t < n; ++t) {
      const std::array<double, 3> q = targets.at(numbers[index(t)]);
      for (std::size_t a = 0; a < n_dimensions; ++a) places_[a][index(t)] = q[a];
      bounds_[index(t)] = within_.outer;
    }
    if (std::ssize(last_slots_) < k_) search(0);
    const std::int64_t root = 0;
    descend(0, n, 0, 0, {&root, 1});
    const SamplePlanes& samples = near_.samples_;
    simd::NearKernels::best().sum({.n = n,
                                   .k = k_,
                                   .n_columns = samples.n_columns(),
                                   .squares = squares_.data(),
                                   .values = values_.data(),
                                   .scales = scales_.empty() ? nullptr : scales_.data(),
                                   .weights = weights_.data(),
                                   .least = samples.least.data(),
                                   .most = samples.most.data(),
                                   .smoothing = near_.how_.smoothing * near_.how_.smoothing,
                                   .power = near_.how_.power,
                                   .out = out_.data()});
  }

  std::int64_t n_found(std::int64_t t) const { return found_[index(t)]; }
  double value(std::int64_t t, std::int64_t c) const { return out_[index(c * most_targets + t)]; }

 private:
  static constexpr double margin = 1.44;      // of squares: how much farther the next group's neighbours may be
  static constexpr double next_margin = 1.3;  // the next target's
  static constexpr std::int64_t most_nodes_alone = 512;
  static_assert(most_nodes_alone * NearBlocks<n_dimensions>::leaf_slots <= simd::NearCandidates::slots);

  const simd::NearLoops& loops() const { return simd::NearKernels::best().loops[n_dimensions - 2]; }
  std::array<double, 3> target(std::int64_t t) const {
    std::array<double, 3> q{};
    for (std::size_t a = 0; a < n_dimensions; ++a) q[a] = places_[a][index(t)];
    return q;
  }

  simd::NearBox box_of(std::int64_t first, std::int64_t n) const {
    simd::NearBox box{};
    for (std::size_t a = 0; a < n_dimensions; ++a) {
      const auto from = places_[a].begin() + first;
      const auto [least, most] = std::minmax_element(from, from + n);
      box.least[a] = *least;
      box.most[a] = *most;
    }
    box.square = *std::max_element(bounds_.begin() + first, bounds_.begin() + first + n);
    return box;
  }

  void tighten(std::int64_t first, std::int64_t n) {
    if (std::ssize(last_slots_) == k_) {
      const double* planes[3] = {};
      for (std::size_t a = 0; a < n_dimensions; ++a) planes[a] = places_[a].data() + first;
      std::int64_t to = 0;
      for (const std::int64_t slot : last_slots_)
        for (int a = 0; a < n_dimensions; ++a) witnesses_[index(to++)] = near_.blocks_.place(slot, a);
      loops().reach(witnesses_.data(), k_, planes, n, bounds_.data() + first);
    }
    for (std::int64_t t = first; t < first + n; ++t) bounds_[index(t)] = std::min(bounds_[index(t)], reach_);
  }

  /// From nodes before a step on.
  void descend(std::int64_t first, std::int64_t n, std::int64_t step, std::size_t depth, std::span<const std::int64_t> nodes) {
    tighten(first, n);
    const simd::NearBox box = box_of(first, n);
    while (step < near_.blocks_.n_steps()) {
      std::vector<std::int64_t>& to = nodes_[depth][index(step % 2)];
      if (to.size() < 4 * nodes.size()) to.resize(4 * nodes.size());
      const std::int64_t n_near = loops().open(near_.blocks_.boxes(step), nodes.data(), std::ssize(nodes), box, to.data());
      if (n == 1 && n_near > most_nodes_alone) {
        search(first);
        return;
      }
      if (n > 1 && n_near > most_nodes_) {
        const std::int64_t quarter = (n + 3) / 4;
        for (std::int64_t t = 0; t < n; t += quarter) descend(first + t, std::min(quarter, n - t), step, depth + 1, nodes);
        return;
      }
      nodes = {to.data(), index(n_near)};
      ++step;
    }
    loops().collect(near_.blocks_.leaves(), nodes.data(), std::ssize(nodes), box, candidates_);
    double most = 0;
    for (std::int64_t t = first; t < first + n; ++t) {
      find(t);
      most = std::max(most, last_);
    }
    reach_ = most * margin;
  }

  void find(std::int64_t t) {
    const std::array<double, 3> q = target(t);
    const double bound = bounds_[index(t)], next = last_ * next_margin;
    std::int64_t n = next < bound ? measure(q, next) : 0;
    if (n < k_) n = measure(q, bound);
    if (n < k_ && bound < within_.outer) {
      search(t);
      return;
    }
    simd::NearKernels::best().sort(candidates_, n);
    put_in_order(n);
    const std::int64_t n_found = std::min(n, k_);
    put(t, n_found, [&](std::int64_t i) {
      const std::int64_t number = candidates_.sorted[i] & (simd::NearCandidates::slots - 1);
      return std::pair(candidates_.squares[number], candidates_.at[number]);
    });
  }

  // Keys of the candidates within the bound and the radius.
  std::int64_t measure(const std::array<double, 3>& q, double bound) {
    const std::int64_t n = loops().measure(candidates_, q.data(), bound);
    if (bound <= within_.inner) return n;
    const auto is_beyond = [&](double key) {
      const std::int64_t number = std::bit_cast<std::int64_t>(key) & (simd::NearCandidates::slots - 1);
      double x[3] = {};
      for (int a = 0; a < n_dimensions; ++a) x[a] = candidates_.place[a][number];
      return !within_.has<n_dimensions>(candidates_.squares[number], x, q.data());
    };
    return std::remove_if(candidates_.keys, candidates_.keys + n, is_beyond) - candidates_.keys;
  }

  // Squares that differ in their last bits alone are sorted anew, equal ones by index.
  void put_in_order(std::int64_t n) {
    constexpr std::int64_t mask = simd::NearCandidates::slots - 1;
    std::int64_t* const keys = candidates_.sorted;
    bool is_in_order = true;
    for (std::int64_t i = 1; i < std::min(n, k_ + 1); ++i) is_in_order = is_in_order && (keys[i - 1] | mask) < (keys[i] | mask);
    if (is_in_order) return;
    const auto less = [&](std::int64_t a, std::int64_t b) {
      const double x = candidates_.squares[a & mask], y = candidates_.squares[b & mask];
      return x != y ? x < y : near_.index_of(candidates_.at[a & mask]) < near_.index_of(candidates_.at[b & mask]);
    };
    std::sort(keys, keys + n, less);
  }

  void search(std::int64_t t) {
    search_.find(target(t));
    const std::span<const Neighbour> found = search_.found(0);
    put(t, std::ssize(found), [&](std::int64_t i) { return std::pair(found[index(i)].square, found[index(i)].slot); });
  }

  /// Neighbour i of n has square and slot neighbour(i).
  template <class At>
  void put(std::int64_t t, std::int64_t n, const At& neighbour) {
    const std::int64_t n_columns = near_.samples_.n_columns();
    found_[index(t)] = n;
    last_slots_.resize(index(n));
    for (std::int64_t i = 0; i < n; ++i) {
      const auto [square, slot] = neighbour(i);
      const std::int64_t to = i * most_targets + t;
      squares_[index(to)] = square;
      last_slots_[index(i)] = slot;
      if (!scales_.empty()) scales_[index(to)] = near_.weights_[index(slot)];
      for (std::int64_t c = 0; c < n_columns; ++c) values_[index(c * k_ * most_targets + to)] = near_.values_[index(slot * n_columns + c)];
    }
    for (std::int64_t i = n; i < k_; ++i) {
      const std::int64_t to = i * most_targets + t;
      squares_[index(to)] = std::numeric_limits<double>::infinity();
      if (!scales_.empty()) scales_[index(to)] = 0;
      for (std::int64_t c = 0; c < n_columns; ++c)
        values_[index(c * k_ * most_targets + to)] = n == 0 ? 0 : values_[index(c * k_ * most_targets + t)];
    }
    last_ = n < k_ ? within_.outer : squares_[index((k_ - 1) * most_targets + t)];
  }

  const NearSum& near_;
  std::int64_t k_;
  Reach within_;
  std::int64_t most_nodes_;
  NearestSearch<n_dimensions> search_;
  std::array<std::array<double, most_targets + 8>, 3> places_{};
  std::array<double, most_targets + 8> bounds_{};
  std::array<std::int64_t, most_targets> found_{};
  std::vector<std::int64_t> last_slots_;  // of the last target's neighbours
  std::vector<double> witnesses_;         // [k][n_dimensions]: where they are
  double last_ = std::numeric_limits<double>::infinity(), reach_ = std::numeric_limits<double>::infinity();
  std::array<std::array<std::vector<std::int64_t>, 2>, 5> nodes_;
  simd::NearCandidates candidates_;
  std::vector<double> numbers_;
  std::vector<std::int64_t> slots_;
  std::vector<double> squares_, weights_, scales_, values_, out_;
};

}  // namespace crinkle::interpolation
