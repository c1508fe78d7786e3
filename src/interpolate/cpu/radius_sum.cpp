// Weights relative to that of a sample at the radius are at least 1. Where a sample is so near that they may leave the range of float64,
// and on samples, they are taken relative to the nearest one's.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/radius_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.hpp"
#include "interpolate/cpu/target_groups.hpp"
#include "interpolate/metric.hpp"

namespace crinkle::interpolation {

template <int n_dimensions>
RadiusSum<n_dimensions>::RadiusSum(const SamplePlanes& samples, const Interpolation& how, Executor& executor)
    : samples_(samples), how_(how) {
  constexpr std::int64_t leaves_together = 1024, slots = NearBlocks<n_dimensions>::leaf_slots;
  const KdTree<n_dimensions> tree(samples, executor);
  blocks_.emplace(tree, executor);
  const std::int64_t n_leaves = tree.first_leaf() + 1, n_columns = samples.n_columns();
  values_.resize(index(multiply(blocks_->n_slots(), n_columns)));
  if (!samples.weights.empty()) weights_.resize(index(blocks_->n_slots()));
  executor.parallel_for(ceil_divide(n_leaves, leaves_together), [&](std::int64_t part) {
    for (std::int64_t leaf = part * leaves_together; leaf < std::min(n_leaves, (part + 1) * leaves_together); ++leaf) {
      const auto [begin, end] = tree.leaf(tree.first_leaf() + leaf);
      for (std::int64_t p = begin; p < end; ++p) {
        const std::size_t sample = index(tree.place(p).index);
        const std::int64_t slot = leaf * slots + p - begin;
        for (std::int64_t c = 0; c < n_columns; ++c) values_[index(c * blocks_->n_slots() + slot)] = samples.values[index(c)][sample];
        if (!weights_.empty()) weights_[index(slot)] = samples.weights[sample];
      }
    }
  });
  known_ = {.leaves = blocks_->leaves(),
            .values = values_.data(),
            .scales = weights_.empty() ? nullptr : weights_.data(),
            .zeros = samples.least.data(),
            .n_leaves = n_leaves,
            .n_columns = n_columns,
            .reach = reach_of(how.radius, samples),
            .smoothing = std::min(how.smoothing * how.smoothing, greatest_square),
            .power = how.power};
  // Sums of n weights times a sample's own and times differences of values stay below 2^1000.
  double room = 1000 - std::log2(static_cast<double>(samples.n));
  double range = 1, scale = 1;
  for (std::size_t c = 0; c < samples.least.size(); ++c) range = std::max(range, samples.most[c] / 2 - samples.least[c] / 2);
  for (const double weight : weights_) scale = std::max(scale, weight);
  room -= 1 + std::log2(range) + std::log2(scale);
  const double least_ratio = room > 0 ? std::exp2(std::max(-1000.0, -2 * room / how.power)) : std::numeric_limits<double>::infinity();
  nearest_ = std::max((std::min(known_.reach.inner, greatest_square) + known_.smoothing) * least_ratio, std::numeric_limits<double>::min());
}

/// Up to TargetGroups::most_targets targets that lie together.
template <int n_dimensions>
class RadiusSum<n_dimensions>::Group {
 public:
  Group(const RadiusSum& sum, const Targets& targets) : of_(sum), known_(sum.known_), sums_(index(sum.known_.n_columns)) {
    known_.reach = targets.within(known_.reach);
    for (double* const square : {&known_.reach.inner, &known_.reach.outer}) *square = std::min(*square, greatest_square);
  }

  /// result(number of the target, samples found, values).
  template <class Result>
  void run(const Targets& targets, std::span<const std::int64_t> numbers, const Result& result) {
    const simd::NearBox box = box_of(targets, numbers);
    double side = 0;
    for (int a = 0; a < n_dimensions; ++a) side = std::max(side, box.most[a] - box.least[a]);
    if (const std::size_t n = numbers.size(); n > 1 && side > most_side * of_.how_.radius) {
      const std::size_t quarter = (n + 3) / 4;
      for (std::size_t t = 0; t < n; t += quarter) run(targets, numbers.subspan(t, std::min(quarter, n - t)), result);
      return;
    }
    const std::span<const std::int64_t> leaves = leaves_near(box);
    for (const std::int64_t t : numbers) {
      const std::int64_t n_found = sum(targets.at(t), leaves);
      result(t, n_found, sums_);
    }
  }

 private:
  static constexpr double most_side = 0.5;  // of a box of targets, in radii

  simd::NearBox box_of(const Targets& targets, std::span<const std::int64_t> numbers) const {
    simd::NearBox box{};
    box.square = known_.reach.outer;
    for (std::size_t a = 0; a < n_dimensions; ++a) {
      box.least[a] = std::numeric_limits<double>::infinity();
      box.most[a] = -box.least[a];
    }
    for (const std::int64_t t : numbers) {
      const std::array<double, 3> q = targets.at(t);
      for (std::size_t a = 0; a < n_dimensions; ++a) {
        box.least[a] = std::min(box.least[a], q[a]);
        box.most[a] = std::max(box.most[a], q[a]);
      }
    }
    return box;
  }

  std::span<const std::int64_t> leaves_near(const simd::NearBox& box) {
    const auto& open = simd::NearKernels::best().loops[n_dimensions - 2].open;
    nodes_[0].assign(1, 0);
    std::int64_t n = 1;
    for (std::int64_t step = 0; step < of_.blocks_->n_steps(); ++step) {
      const std::vector<std::int64_t>& from = nodes_[index(step % 2)];
      std::vector<std::int64_t>& to = nodes_[index((step + 1) % 2)];
      if (std::ssize(to) < 4 * n) to.resize(index(4 * n));
      n = open(of_.blocks_->boxes(step), from.data(), n, box, to.data());
    }
    return {nodes_[index(of_.blocks_->n_steps() % 2)].data(), index(n)};
  }

  /// Returns how many samples are within the radius, and leaves their mean in sums_.
  std::int64_t sum(const std::array<double, 3>& q, std::span<const std::int64_t> leaves) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    simd::RadiusSums all{.least = std::numeric_limits<double>::infinity()};
    // Parts end at the same leaves whatever else is near the group, so that other groups give the same bits.
    for (auto first = leaves.begin(); first != leaves.end();) {
      const std::int64_t end = (*first / simd::RadiusSamples::most_leaves + 1) * simd::RadiusSamples::most_leaves;
      const auto last = std::lower_bound(first, leaves.end(), end);
      const simd::RadiusSums part =
          simd::RadiusKernels::best().sum[n_dimensions - 2](known_, q.data(), &*first, last - first, room_, sums_.data());
      all = {all.n + part.n, std::min(all.least, part.least), all.weights + part.weights};
      first = last;
    }
    if (all.n == 0) return 0;
    if (all.least < of_.nearest_) sum_relative(q, leaves, all.least);
    const SamplePlanes& samples = of_.samples_;
    for (std::size_t c = 0; c < sums_.size() && all.least >= of_.nearest_; ++c)
      sums_[c] = std::clamp(samples.least[c] + sums_[c] / all.weights, samples.least[c], samples.most[c]);
    return all.n;
  }

  /// The same with weights relative to the nearest sample's, and values to its value.
  void sum_relative(const std::array<double, 3>& q, std::span<const std::int64_t> leaves, double least) {
    found_.clear();
    std::int64_t nearest = 0;
    for (const std::int64_t leaf : leaves)
      for (std::int64_t slot = 8 * leaf; slot < 8 * leaf + 8; ++slot) {
        double away[3] = {};
        for (int a = 0; a < n_dimensions; ++a) away[a] = of_.blocks_->place(slot, a) - q[index(a)];
        const double square = square_of<n_dimensions>(away), s = square + known_.smoothing;
        const double x[3] = {of_.blocks_->place(slot, 0), of_.blocks_->place(slot, 1), of_.blocks_->place(slot, n_dimensions - 1)};
        if (!known_.reach.has<n_dimensions>(square, x, q.data())) continue;
        if (s == least) nearest = slot;
        const double scale = of_.weights_.empty() ? 1 : of_.weights_[index(slot)];
        found_.push_back({slot, scale * (least > 0 ? std::pow(least / s, of_.how_.power / 2) : s == 0 ? 1 : 0)});
      }
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      const double* const values = of_.values_.data() + static_cast<std::int64_t>(c) * of_.blocks_->n_slots();
      double weights = 0, sum = 0;
      for (const Found& found : found_) {
        weights += found.weight;
        sum += found.weight * (values[found.slot] - values[nearest]);
      }
      sums_[c] = std::clamp(values[nearest] + sum / weights, of_.samples_.least[c], of_.samples_.most[c]);
    }
  }

  struct Found {
    std::int64_t slot;
    double weight;
  };
  const RadiusSum& of_;
  simd::RadiusSamples known_;
  std::vector<double> sums_;  // [n_columns]
  std::vector<std::int64_t> nodes_[2];
  std::vector<Found> found_;
  simd::RadiusRoom room_;
};

template <int n_dimensions>
template <class T>
void RadiusSum<n_dimensions>::run(const Targets& targets, std::span<T> out, Executor& executor) const {
  constexpr std::int64_t groups_together = 4;
  const TargetGroups groups(targets, executor);
  const std::int64_t n = targets.n();
  executor.parallel_for(ceil_divide(groups.n(), groups_together), [&](std::int64_t chunk) {
    Group group(*this, targets);
    std::vector<std::int64_t> numbers;
    for (std::int64_t g = chunk * groups_together; g < std::min(groups.n(), (chunk + 1) * groups_together); ++g) {
      groups.targets_of(g, numbers);
      group.run(targets, numbers, [&](std::int64_t t, std::int64_t n_found, const std::vector<double>& values) {
        const bool has_data = n_found >= std::max<std::int64_t>(1, how_.least_neighbours);
        for (std::int64_t c = 0; c < samples_.n_columns(); ++c)
          out[index(c * n + t)] = static_cast<T>(has_data ? values[index(c)] : how_.nodata);
      });
    }
  });
}

template class RadiusSum<2>;
template class RadiusSum<3>;
template void RadiusSum<2>::run(const Targets&, std::span<float>, Executor&) const;
template void RadiusSum<2>::run(const Targets&, std::span<double>, Executor&) const;
template void RadiusSum<3>::run(const Targets&, std::span<float>, Executor&) const;
template void RadiusSum<3>::run(const Targets&, std::span<double>, Executor&) const;

}  // namespace crinkle::interpolation
