// Targets whose lanes go through ranges of samples together by the kernels, and what their sums come to.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/checked.hpp"
#include "interpolate/scaled.hpp"

namespace crinkle::interpolation {

inline constexpr std::int64_t chunk_targets = 256, piece_samples = 1024;  // a piece's planes stay in the first cache
static_assert(chunk_targets % simd::WeightRange<float>::targets_together == 0);

/// square^(−power/2)
inline double weight_of(double square, double power) {
  if (power == 1) return 1 / std::sqrt(square);
  if (power == 2) return 1 / square;
  if (power == 3) return 1 / (square * std::sqrt(square));
  if (power == 4) return 1 / (square * square);
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

  /// n targets, 1 to chunk_targets: at(t) is the place of number t. The rest of the lanes repeat the last one.
  template <class At>
  void begin(std::int64_t n, const At& at) {
    constexpr std::int64_t together = simd::WeightRange<T>::targets_together;
    n_lanes_ = ceil_divide(n, together) * together;
    for (std::int64_t t = 0; t < n_lanes_; ++t) {
      const std::array<double, 3> q = at(std::min(t, n - 1));
      for (std::size_t a = 0; a < index(samples_.n_dimensions()); ++a) {
        const double x = samples_.scaled(a, q[a]);
        high_[a][index(t)] = static_cast<T>(x);
        low_[a][index(t)] = static_cast<T>(x - static_cast<double>(high_[a][index(t)]));
      }
    }
    clear_sums();
    std::fill(least_.begin(), least_.end(), std::numeric_limits<T>::infinity());
  }

  void clear_sums() { std::fill(sums_.begin(), sums_.end(), 0.0); }

  /// Makes ready for add(): the nearest of the samples of these ranges, where the rule needs it.
  void find_least(std::int64_t begin, std::int64_t end) {
    if (!rule_.is_relative<T>()) return;
    simd::WeightRange<T> range = range_of(begin, end);
    range.least = least_.data();
    if (begin < end) kernels_.least[samples_.n_dimensions() - 2](range);
  }
  void use_least() {
    for (std::size_t t = 0; t < scale_.size(); ++t) scale_[t] = rule_.is_relative<T>() ? 1 / least_[t] : 1;
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
        kernels_.add[samples_.n_dimensions() - 2][n_columns == 1 ? 0 : 1][static_cast<int>(rule_.kernel)](range);
      }
    }
  }
  /// Sample j alone, for one target: what add() does in T.
  void add_one(std::int64_t t, std::int64_t j) {
    const double square = square_between(t, j),
                 w = weight_of(rule_.is_relative<T>() ? square * static_cast<double>(scale_[index(t)]) : square, rule_.power);
    sums_[index(t)] += w;
    for (std::int64_t c = 0; c < samples_.n_sums(); ++c) sum(c)[t] += w * static_cast<double>(samples_.column(c)[j]);
  }
  /// Sums of target t in float64, of weights s^(−p/2) that no scale has changed: sums[c · pitch] of column c, then of the weights.
  void add_sums(std::int64_t t, const double* sums, std::int64_t pitch) {
    const double unit = unit_of(t);
    for (std::int64_t c = 0; c < samples_.n_columns(); ++c) sum(c)[t] += sums[c * pitch] * unit;
    const double weights = sums[samples_.n_columns() * pitch] * unit;
    sums_[index(t)] += weights;
    if (samples_.has_weights()) sum(samples_.n_sums() - 1)[t] += weights;
  }
  /// The sum of weights of target t so far, whatever the scale. It may be infinite or NaN.
  double weights(std::int64_t t) const { return (samples_.has_weights() ? sum(samples_.n_sums() - 1)[t] : sums_[index(t)]) / unit_of(t); }
  void find_least_one(std::int64_t t, std::int64_t j) {
    least_[index(t)] = std::min(least_[index(t)], static_cast<T>(square_between(t, j)));
  }

  /// Whether the sums of target t can be trusted, n being the number of samples.
  bool is_right(std::int64_t t, std::int64_t n) const {
    // Distances are known to 2^−49 of the box in float32: nearer than 2^−25 their error would count.
    constexpr double nearest = sizeof(T) == 4 ? -25 : -500, least_square = sizeof(T) == 4 ? 0x1p-50 : 0x1p-1000;
    if (rule_.is_relative<T>() && !(static_cast<double>(least_[index(t)]) > least_square)) return false;
    const double limit = rule_.is_relative<T>() ? std::numeric_limits<double>::max()
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
  // Relative weights are so many times the others.
  double unit_of(std::int64_t t) const {
    return rule_.is_relative<T>() ? std::pow(static_cast<double>(scale_[index(t)]), -rule_.power / 2) : 1;
  }
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
  std::array<std::array<T, chunk_targets>, 3> high_{}, low_{};
  std::array<T, chunk_targets> scale_{}, least_{};
  std::array<double, chunk_targets> unused_{};
  std::vector<double> sums_;  // [1 + n_sums][chunk_targets]
};

}  // namespace crinkle::interpolation
