// Weights relative to the nearest neighbour's never leave the range of float64; values relative to its value keep constants as they are.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/near_sum.hpp"

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"
#include "interpolate/cpu/near_group.hpp"
#include "interpolate/cpu/target_groups.hpp"
#include "interpolate/order.hpp"

namespace crinkle::interpolation {
namespace {

constexpr std::int64_t near_chunk_targets = 512;

// ratio^(p/2)
double half_power(double ratio, double power) {
  if (power == 2) return ratio;
  if (power == 1) return std::sqrt(ratio);
  if (power == 3) return ratio * std::sqrt(ratio);
  if (power == 4) return ratio * ratio;
  return std::pow(ratio, power / 2);
}

}  // namespace

template <int n_dimensions>
struct NearSum<n_dimensions>::Sums {
  std::vector<Neighbour> neighbours;
  std::vector<double> weights;
  const SharedPlaces* shared = nullptr;  // where a sample is left out whose place others share:
  std::int64_t sample = 0, place = SharedPlaces::alone;
  const SamplePlanes* others = nullptr;  // which stand there for each of these
};

template <int n_dimensions>
NearSum<n_dimensions>::NearSum(const SamplePlanes& samples, const Interpolation& how, Executor& executor)
    : samples_(samples), how_(how), reach_(reach_of(how.radius, samples)), tree_(samples, executor), blocks_(tree_, executor) {
  constexpr std::int64_t leaves_together = 1024, slots = NearBlocks<n_dimensions>::leaf_slots;
  const std::int64_t n_leaves = tree_.first_leaf() + 1, n_columns = samples.n_columns();
  values_.resize(index(multiply(blocks_.n_slots(), n_columns)));
  if (!samples.weights.empty()) weights_.resize(index(blocks_.n_slots()));
  executor.parallel_for(ceil_divide(n_leaves, leaves_together), [&](std::int64_t part) {
    for (std::int64_t leaf = part * leaves_together; leaf < std::min(n_leaves, (part + 1) * leaves_together); ++leaf) {
      const auto [begin, end] = tree_.leaf(tree_.first_leaf() + leaf);
      for (std::int64_t p = begin; p < end; ++p) {
        const std::size_t sample = index(tree_.place(p).index);
        const std::int64_t slot = leaf * slots + p - begin;
        for (std::int64_t c = 0; c < n_columns; ++c) values_[index(slot * n_columns + c)] = samples.values[index(c)][sample];
        if (!weights_.empty()) weights_[index(slot)] = samples.weights[sample];
      }
    }
  });
}

// Requires neighbours.
template <int n_dimensions>
void NearSum<n_dimensions>::add_up(std::span<const Neighbour> neighbours, double power, Sums& sums, double* to, std::int64_t pitch) const {
  const double smoothing = how_.smoothing * how_.smoothing;
  double least = std::numeric_limits<double>::infinity();
  for (const Neighbour& neighbour : neighbours) least = std::min(least, neighbour.square);
  least += smoothing;
  const auto is_other = [&](const Neighbour& neighbour) {
    return sums.place != SharedPlaces::alone && sums.shared->place_of(sums.shared->sample_of(index_of(neighbour.slot))) == sums.place;
  };
  sums.weights.clear();
  double all_weights = 0;
  for (const Neighbour& neighbour : neighbours) {
    const double square = neighbour.square + smoothing;
    double w = least > 0 ? half_power(least / square, power) : square == 0 ? 1 : 0;
    if (!weights_.empty()) w *= is_other(neighbour) ? sums.others->weight(sums.sample) : weights_[index(neighbour.slot)];
    sums.weights.push_back(w);
    all_weights += w;
  }
  const std::int64_t n_columns = samples_.n_columns();
  for (std::int64_t c = 0; c < n_columns; ++c) {
    const auto value = [&](const Neighbour& neighbour) {
      return is_other(neighbour) ? sums.others->values[index(c)][index(sums.sample)] : values_[index(neighbour.slot * n_columns + c)];
    };
    const double zero = value(neighbours[0]);
    double sum = 0;
    for (std::size_t k = 0; k < neighbours.size(); ++k) sum += sums.weights[k] * (value(neighbours[k]) - zero);
    to[c * pitch] = std::clamp(zero + sum / all_weights, samples_.least[index(c)], samples_.most[index(c)]);
  }
}

template <int n_dimensions>
template <class T>
void NearSum<n_dimensions>::run_groups(const Targets& targets, std::span<T> out, Executor& executor) const {
  constexpr std::int64_t groups_together = 32;
  const TargetGroups groups(targets, executor);
  const std::int64_t n = targets.n(), n_columns = samples_.n_columns();
  executor.parallel_for(ceil_divide(groups.n(), groups_together), [&](std::int64_t chunk) {
    Group group(*this, targets.within(reach_));
    std::vector<std::int64_t> numbers;
    for (std::int64_t g = chunk * groups_together; g < std::min(groups.n(), (chunk + 1) * groups_together); ++g) {
      groups.targets_of(g, numbers);
      group.sum(targets, numbers);
      for (std::int64_t t = 0; t < std::ssize(numbers); ++t) {
        const bool has_data = group.n_found(t) >= std::max<std::int64_t>(1, how_.least_neighbours);
        for (std::int64_t c = 0; c < n_columns; ++c)
          out[index(c * n + numbers[index(t)])] = static_cast<T>(has_data ? group.value(t, c) : how_.nodata);
      }
    }
  });
}

template <int n_dimensions>
template <class T>
void NearSum<n_dimensions>::run(const Targets& targets, std::span<T> out, Executor& executor) const {
  if (how_.sectors == 1 && how_.neighbours > 0 && how_.neighbours <= Group::most_neighbours) {
    run_groups(targets, out, executor);
    return;
  }
  const std::int64_t n = targets.n(), n_columns = samples_.n_columns();
  const std::vector<std::int64_t> order = targets.is_raster() ? std::vector<std::int64_t>() : order_along_curve(targets, executor);
  executor.parallel_for(ceil_divide(n, near_chunk_targets), [&](std::int64_t chunk) {
    NearestSearch<n_dimensions> near = search(how_.neighbours, targets.within(reach_));
    Sums sums;
    std::vector<double> values(index(n_columns));
    for (std::int64_t k = chunk * near_chunk_targets; k < std::min(n, (chunk + 1) * near_chunk_targets); ++k) {
      const std::int64_t t = order.empty() ? k : order[index(k)];
      near.find(targets.at(t));
      const std::int64_t n_found = near.n_found();
      if (n_found == 0 || n_found < how_.least_neighbours) {
        std::fill(values.begin(), values.end(), how_.nodata);
      } else if (how_.sectors == 1) {
        add_up(near.found(0), how_.power, sums, values.data(), 1);
      } else {
        sums.neighbours.clear();
        for (int s = 0; s < how_.sectors; ++s) sums.neighbours.insert(sums.neighbours.end(), near.found(s).begin(), near.found(s).end());
        add_up(sums.neighbours, how_.power, sums, values.data(), 1);
      }
      for (std::int64_t c = 0; c < n_columns; ++c) out[index(c * n + t)] = static_cast<T>(values[index(c)]);
    }
  });
}

template <int n_dimensions>
void NearSum<n_dimensions>::predict(std::int64_t sample, const SamplePlanes& others, const SharedPlaces& shared,
                                    NearestSearch<n_dimensions>& search, std::span<const double> powers,
                                    std::span<const std::int64_t> neighbours, std::span<double> predictions) const {
  const std::int64_t n_columns = samples_.n_columns();
  search.find(others.place(sample), shared.kept_number(sample));
  Sums sums{.neighbours = {}, .weights = {}, .shared = &shared, .sample = sample, .place = shared.place_of(sample), .others = &others};
  double* to = predictions.data();
  for (const std::int64_t most : neighbours) {
    sums.neighbours.clear();
    for (int s = 0; s < how_.sectors; ++s) {
      const std::span<const Neighbour> found = search.found(s);
      const auto n = most == 0 ? found.size() : std::min(found.size(), index(most));
      sums.neighbours.insert(sums.neighbours.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n));
    }
    const std::int64_t n_found = std::ssize(sums.neighbours);
    for (const double power : powers) {
      if (n_found == 0 || n_found < how_.least_neighbours) std::fill(to, to + n_columns, std::numeric_limits<double>::quiet_NaN());
      else add_up(sums.neighbours, power, sums, to, 1);
      to += n_columns;
    }
  }
}

template class NearSum<2>;
template class NearSum<3>;
template void NearSum<2>::run(const Targets&, std::span<float>, Executor&) const;
template void NearSum<2>::run(const Targets&, std::span<double>, Executor&) const;
template void NearSum<3>::run(const Targets&, std::span<float>, Executor&) const;
template void NearSum<3>::run(const Targets&, std::span<double>, Executor&) const;

}  // namespace crinkle::interpolation
