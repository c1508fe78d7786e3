// Every chunk of targets goes through all samples by the kernels. What they cannot get right (targets on samples or next to them, sums
// beyond the range of T) is recognised by its sums and scanned again in float64.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/cpu/full_sum.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/checked.hpp"
#include "interpolate/cpu/chunk.hpp"
#include "interpolate/metric.hpp"

namespace crinkle::interpolation {

Coincident::Coincident(const SamplePlanes& samples) : samples_(samples), order_(index(samples.n)) {
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::int64_t i, std::int64_t j) {
    const auto a = samples.place(i), b = samples.place(j);
    return a != b ? a < b : i < j;
  });
}

std::span<const std::int64_t> Coincident::at(const std::array<double, 3>& q) const {
  const auto first = std::lower_bound(order_.begin(), order_.end(), q,
                                      [&](std::int64_t i, const std::array<double, 3>& x) { return samples_.place(i) < x; });
  auto last = first;
  while (last != order_.end() && samples_.place(*last) == q) ++last;
  return {first, last};
}

void FullSum::scan(const std::array<double, 3>& q, double power, std::int64_t left_out, double* to, std::int64_t pitch) const {
  const double smoothing = how_.smoothing * how_.smoothing;
  const auto square = [&](std::int64_t i) {
    const auto x = samples_.place(i);
    const double away[3] = {x[0] - q[0], x[1] - q[1], x[2] - q[2]};
    return square_of<3>(away) + smoothing;
  };
  std::vector<std::int64_t> there;
  if (smoothing == 0)
    for (const std::int64_t i : coincident_.at(q))
      if (i != left_out) there.push_back(i);
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < samples_.n && there.empty(); ++i)
    if (i != left_out) least = std::min(least, square(i));
  for (std::int64_t c = 0; c < samples_.n_columns(); ++c) {
    const std::vector<double>& column = samples_.values[index(c)];
    const double zero = samples_.least[index(c)];
    double weights = 0, sum = 0, block_weights = 0, block_sum = 0;
    const auto add = [&](std::int64_t i, double w) {
      block_weights += w * samples_.weight(i);
      block_sum += w * samples_.weight(i) * (column[index(i)] - zero);
    };
    for (const std::int64_t i : there) add(i, 1);
    for (std::int64_t i = 0; i < samples_.n && there.empty(); ++i) {
      if (i == left_out) continue;
      const double s = square(i);
      if (least > 0) add(i, weight_of(s / least, power));
      else if (s == 0) add(i, 1);
      if (i % 256 == 255) {
        weights += std::exchange(block_weights, 0);
        sum += std::exchange(block_sum, 0);
      }
    }
    to[c * pitch] = std::clamp(zero + (sum + block_sum) / (weights + block_weights), zero, samples_.most[index(c)]);
  }
}

// Targets that the kernels take together, by their numbers in the whole: which of the run are among them decides no bits.
class Together {
 public:
  static constexpr std::int64_t most = simd::WeightRange<float>::targets_together;
  static_assert(most == simd::WeightRange<double>::targets_together && chunk_targets % most == 0);

  explicit Together(const Targets& targets) {
    const bool are_all = targets.n() == targets.n_whole();
    for (std::int64_t t = 0; t < targets.n();) {
      const std::int64_t group = (are_all ? t : targets.number(t)) / most;
      groups_.push_back({group * most, t});
      for (t += are_all ? most : 1; !are_all && t < targets.n() && targets.number(t) / most == group;) ++t;
    }
    groups_.push_back({0, targets.n()});
  }

  std::int64_t n() const { return std::ssize(groups_) - 1; }
  /// The number of a group's first target in the whole, and which targets of the run it has: from t on, and before those of the next one.
  struct Group {
    std::int64_t number, t;
  };
  const Group& operator[](std::int64_t g) const { return groups_[index(g)]; }

 private:
  std::vector<Group> groups_;
};

template <class T>
void FullSum::run(const Targets& targets, std::span<T> out, Executor& executor) const {
  const std::int64_t n = targets.n();
  if (n == 0) return;
  const ScaledSamples<T> scaled(samples_, how_, targets.bounds());
  const Rule rule(how_.power);
  const Together groups(targets);
  constexpr std::int64_t groups_together = chunk_targets / Together::most;
  executor.parallel_for(ceil_divide(groups.n(), groups_together), [&](std::int64_t k) {
    Chunk<T> chunk(scaled, rule);
    const std::int64_t first = k * groups_together, last = std::min(groups.n(), first + groups_together);
    chunk.begin((last - first) * Together::most, [&](std::int64_t lane) {
      const std::int64_t number = groups[first + lane / Together::most].number + lane % Together::most;
      return targets.at_number(std::min(number, targets.n_whole() - 1));
    });
    chunk.find_least(0, samples_.n);
    chunk.use_least();
    chunk.add(0, samples_.n);
    std::vector<double> values(index(samples_.n_columns()));
    for (std::int64_t g = first; g < last; ++g) {
      for (std::int64_t t = groups[g].t; t < groups[g + 1].t; ++t) {
        const std::int64_t lane = (g - first) * Together::most + targets.number(t) - groups[g].number;
        const bool is_right = chunk.is_right(lane, samples_.n);
        if (!is_right) scan(targets.at(t), how_.power, -1, values.data(), 1);
        for (std::int64_t c = 0; c < samples_.n_columns(); ++c)
          out[index(c * n + t)] = static_cast<T>(is_right ? chunk.value(lane, c) : values[index(c)]);
      }
    }
  });
}
template void FullSum::run(const Targets&, std::span<float>, Executor&) const;
template void FullSum::run(const Targets&, std::span<double>, Executor&) const;

void FullSum::leave_one_out(double power, std::span<double> predictions, Executor& executor) const {
  const std::int64_t n = samples_.n;
  std::vector<double> places;
  for (std::int64_t i = 0; i < n; ++i)
    for (int a = 0; a < samples_.n_dimensions; ++a) places.push_back(samples_.places[index(a)][index(i)]);
  const Targets targets(Reals(places), samples_.n_dimensions);
  const ScaledSamples<double> scaled(samples_, how_, targets.bounds());
  const Rule rule(power);
  executor.parallel_for(ceil_divide(n, chunk_targets), [&](std::int64_t k) {
    Chunk<double> chunk(scaled, rule);
    const std::int64_t first = k * chunk_targets, n_here = std::min(chunk_targets, n - first);
    // Samples of the chunk meet each other one by one, so that none meets itself.
    const auto each_other = [&](const auto& meet) {
      for (std::int64_t t = 0; t < n_here; ++t)
        for (std::int64_t j = 0; j < n_here; ++j)
          if (t != j) meet(t, first + j);
    };
    chunk.begin(n_here, [&](std::int64_t t) { return targets.at(first + t); });
    chunk.find_least(0, first);
    chunk.find_least(first + n_here, n);
    if (rule.is_relative<double>()) each_other([&](std::int64_t t, std::int64_t j) { chunk.find_least_one(t, j); });
    chunk.use_least();
    chunk.add(0, first);
    chunk.add(first + n_here, n);
    each_other([&](std::int64_t t, std::int64_t j) { chunk.add_one(t, j); });
    for (std::int64_t t = 0; t < n_here; ++t) {
      double* to = predictions.data() + first + t;
      if (chunk.is_right(t, n)) {
        for (std::int64_t c = 0; c < samples_.n_columns(); ++c) to[c * n] = chunk.value(t, c);
      } else {
        scan(targets.at(first + t), power, first + t, to, n);
      }
    }
  });
}

}  // namespace crinkle::interpolation
