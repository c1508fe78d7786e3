// Every chunk of targets goes through all samples by the kernels. What they cannot get right (targets on samples or next to them, sums
// beyond the range of T) is recognised by its sums and scanned again in float64.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/full_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/checked.hpp"
#include "interpolate/metric.hpp"
#include "interpolate/scaled.hpp"

namespace crinkle::interpolation {
namespace {

constexpr std::int64_t chunk_targets = 256, piece_samples = 1024;  // a piece's planes stay in the first cache
static_assert(chunk_targets % simd::WeightRange<float>::targets_together == 0);

double weight_of(double square, double power) {
  if (power == 2) return 1 / square;
  return std::pow(square, -power / 2);
}

/// The sums of up to chunk_targets targets.
template <class T>
class Chunk {
 public:
  Chunk(const ScaledSamples<T>& samples, const Rule& rule)
      : samples_(samples),
        rule_(rule),
        kernels_(simd::WeightKernels::best().of<T>()),
        sums_(index(samples.n_sums() + 1) * index(chunk_targets)) {}

  /// Targets first … first + n; the rest of the lanes repeat the last one.
  void begin(const Targets& targets, std::int64_t first, std::int64_t n) {
    constexpr std::int64_t together = simd::WeightRange<T>::targets_together;
    n_lanes_ = ceil_divide(n, together) * together;
    has_low_ = samples_.has_low();
    for (std::int64_t t = 0; t < n_lanes_; ++t) {
      const std::array<double, 3> q = targets.at(first + std::min(t, n - 1));
      for (std::size_t a = 0; a < index(samples_.n_dimensions()); ++a) {
        const double x = samples_.scaled(a, q[a]);
        high_[a][index(t)] = static_cast<T>(x);
        low_[a][index(t)] = static_cast<T>(x - static_cast<double>(high_[a][index(t)]));
        has_low_ = has_low_ || (sizeof(T) == 4 && low_[a][index(t)] != 0);
      }
    }
    std::fill(sums_.begin(), sums_.end(), 0.0);
    std::fill(least_.begin(), least_.end(), std::numeric_limits<T>::infinity());
  }

  /// Makes ready for add(): the nearest of the samples of these ranges, where the rule needs it.
  void find_least(std::int64_t begin, std::int64_t end) {
    if (!rule_.is_relative()) return;
    simd::WeightRange<T> range = range_of(begin, end);
    range.least = least_.data();
    if (begin < end) kernels_.least[samples_.n_dimensions() - 2][has_low_](range);
  }
  void use_least() {
    for (std::size_t t = 0; t < scale_.size(); ++t) scale_[t] = 1 / least_[t];
  }

  void add(std::int64_t begin, std::int64_t end) {
    const std::int64_t n_sums = samples_.n_sums();
    for (std::int64_t piece = begin; piece < end; piece += piece_samples) {
      simd::WeightRange<T> range = range_of(piece, std::min(end, piece + piece_samples));
      for (std::int64_t c = 0; c < n_sums; c += range.most_columns) {
        const std::int64_t n_columns = std::min<std::int64_t>(range.most_columns, n_sums - c);
        range.weight_sums = c == 0 ? sums_.data() : unused_.data();
        for (std::int64_t k = 0; k < range.most_columns; ++k) {
          range.values[k] = samples_.column(c + std::min(k, n_columns - 1));
          range.value_sums[k] = k < n_columns ? sum(c + k) : unused_.data();
        }
        kernels_.add[samples_.n_dimensions() - 2][has_low_][n_columns == 1 ? 0 : 1][static_cast<int>(rule_.kernel)](range);
      }
    }
  }
  /// Sample j alone, for one target: what add() does in T.
  void add_one(std::int64_t t, std::int64_t j) {
    const double square = square_between(t, j),
                 w = weight_of(rule_.is_relative() ? square * static_cast<double>(scale_[index(t)]) : square, rule_.power);
    sums_[index(t)] += w;
    for (std::int64_t c = 0; c < samples_.n_sums(); ++c) sum(c)[t] += w * static_cast<double>(samples_.column(c)[j]);
  }
  void find_least_one(std::int64_t t, std::int64_t j) {
    least_[index(t)] = std::min(least_[index(t)], static_cast<T>(square_between(t, j)));
  }

  /// Whether the sums of target t can be trusted, n being the number of samples.
  bool is_right(std::int64_t t, std::int64_t n) const {
    // Distances are known to 2^−49 of the box in float32: nearer than 2^−25 their error would count.
    constexpr double nearest = sizeof(T) == 4 ? -25 : -500, least_square = sizeof(T) == 4 ? 0x1p-50 : 0x1p-1000;
    if (rule_.is_relative() && !(static_cast<double>(least_[index(t)]) > least_square)) return false;
    const double limit = rule_.is_relative() ? std::numeric_limits<double>::max()
                                             : std::min(std::numeric_limits<double>::max() / 2,
                                                        64.0 * static_cast<double>(n) + std::exp2(-nearest * rule_.power));
    const double weights = sums_[index(t)];
    bool is_right = weights > 0 && weights < limit;
    for (std::int64_t c = 0; c < samples_.n_sums(); ++c) is_right = is_right && std::isfinite(sum(c)[t]);
    return is_right && (!samples_.has_weights() || sum(samples_.n_sums() - 1)[t] > 0);
  }
  double value(std::int64_t t, std::int64_t c) const {
    const double weights = samples_.has_weights() ? sum(samples_.n_sums() - 1)[t] : sums_[index(t)];
    return samples_.value(c, sum(c)[t] / weights);
  }

 private:
  double* sum(std::int64_t c) { return sums_.data() + (c + 1) * chunk_targets; }
  const double* sum(std::int64_t c) const { return sums_.data() + (c + 1) * chunk_targets; }

  double square_between(std::int64_t t, std::int64_t j) const {
    const simd::WeightRange<T> range = samples_.range();
    double square = static_cast<double>(range.smoothing);
    for (std::size_t a = 0; a < index(samples_.n_dimensions()); ++a) {
      const double away = static_cast<double>(range.place[a][j]) - static_cast<double>(high_[a][index(t)]);
      square += away * away;
    }
    return square;
  }

  simd::WeightRange<T> range_of(std::int64_t begin, std::int64_t end) const {
    simd::WeightRange<T> range = samples_.range();
    for (std::size_t a = 0; a < index(samples_.n_dimensions()); ++a) {
      range.target[a] = high_[a].data();
      range.target_low[a] = low_[a].data();
    }
    range.scale = scale_.data();
    range.n_targets = n_lanes_;
    range.begin = begin;
    range.end = end;
    range.half_power = static_cast<T>(rule_.power / 2);
    range.whole = rule_.whole;
    return range;
  }

  const ScaledSamples<T>& samples_;
  const Rule& rule_;
  const simd::WeightKernelsOf<T>& kernels_;
  std::int64_t n_lanes_ = 0;
  bool has_low_ = false;
  std::array<std::array<T, chunk_targets>, 3> high_{}, low_{};
  std::array<T, chunk_targets> scale_{}, least_{};
  std::array<double, chunk_targets> unused_{};
  std::vector<double> sums_;  // [1 + n_sums][chunk_targets]
};

}  // namespace

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

template <class T>
void FullSum::run(const Targets& targets, std::span<T> out, Executor& executor) const {
  const std::int64_t n = targets.n();
  if (n == 0) return;
  const ScaledSamples<T> scaled(samples_, how_, targets.bounds());
  const Rule rule(how_.power);
  executor.parallel_for(ceil_divide(n, chunk_targets), [&](std::int64_t k) {
    Chunk<T> chunk(scaled, rule);
    const std::int64_t first = k * chunk_targets, n_here = std::min(chunk_targets, n - first);
    chunk.begin(targets, first, n_here);
    chunk.find_least(0, samples_.n);
    chunk.use_least();
    chunk.add(0, samples_.n);
    std::vector<double> values(index(samples_.n_columns()));
    for (std::int64_t t = 0; t < n_here; ++t) {
      const bool is_right = chunk.is_right(t, samples_.n);
      if (!is_right) scan(targets.at(first + t), how_.power, -1, values.data(), 1);
      for (std::int64_t c = 0; c < samples_.n_columns(); ++c)
        out[index(c * n + first + t)] = static_cast<T>(is_right ? chunk.value(t, c) : values[index(c)]);
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
    chunk.begin(targets, first, n_here);
    chunk.find_least(0, first);
    chunk.find_least(first + n_here, n);
    if (rule.is_relative()) each_other([&](std::int64_t t, std::int64_t j) { chunk.find_least_one(t, j); });
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
