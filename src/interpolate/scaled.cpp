// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/scaled.hpp"

#include <algorithm>
#include <cmath>

namespace crinkle::interpolation {
namespace {

// 1/2^e for x in [2^(e−1), 2^e): brings x below 1.
double to_one(double x) {
  if (x == 0) return 1;
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

}  // namespace

Rule::Rule(double p) : power(p) {
  constexpr double most_whole = 64;
  if (p != std::floor(p) || p > most_whole) return;
  whole = static_cast<std::int64_t>(p);
  constexpr simd::WeightRule rules[] = {simd::WeightRule::one, simd::WeightRule::two, simd::WeightRule::three, simd::WeightRule::four};
  kernel = whole <= 4 ? rules[whole - 1] : simd::WeightRule::whole;
}

template <class T>
ScaledSamples<T>::ScaledSamples(const SamplePlanes& samples, const Interpolation& how, const Bounds& bounds)
    : n_dimensions_(samples.n_dimensions), has_weights_(!samples.weights.empty()) {
  const auto n_axes = static_cast<std::size_t>(n_dimensions_);
  const auto n = static_cast<std::size_t>(samples.n);
  double extent = how.smoothing;
  std::array<double, 3> middle{};
  for (std::size_t a = 0; a < n_axes; ++a) {
    const auto [least, most] = std::minmax_element(samples.places[a].begin(), samples.places[a].end());
    const double low = std::min(*least, bounds[0][a]), high = std::max(*most, bounds[1][a]);
    middle[a] = low / 2 + high / 2;
    extent = std::max(extent, high - low);
  }
  factor_ = to_one(extent);
  // Differences of float64 coordinates are right as they are; what is rounded to float32 is first brought near 0.
  if (sizeof(T) == 4) origin_ = middle;
  const double smoothing = how.smoothing * factor_;
  smoothing_ = static_cast<T>(smoothing * smoothing);
  place(samples);
  const double most_weight = has_weights_ ? *std::max_element(samples.weights.begin(), samples.weights.end()) : 1;
  for (std::size_t c = 0; c < samples.values.size(); ++c) {
    const double least = samples.least[c], most = samples.most[c], zero = least == most ? least : least / 2 + most / 2;
    const Column column{zero, to_one(most - zero), least, most};
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = has_weights_ ? samples.weights[i] / most_weight : 1;
      values[i] = static_cast<T>((samples.values[c][i] - zero) * column.factor * weight);
    }
    scales_.push_back(column);
    columns_.push_back(std::move(values));
  }
  if (has_weights_) {
    std::vector<T> weights(n);
    for (std::size_t i = 0; i < n; ++i) weights[i] = static_cast<T>(samples.weights[i] / most_weight);
    columns_.push_back(std::move(weights));
  }
}

template <class T>
void ScaledSamples<T>::place(const SamplePlanes& samples) {
  constexpr std::int64_t run = simd::WeightRange<T>::samples_together;
  constexpr double rounding = 1 + 1e-6;
  const auto split = [](double x, std::vector<T>& high, std::vector<T>& low) {
    high.push_back(static_cast<T>(x));
    if (sizeof(T) == 4) low.push_back(static_cast<T>(x - static_cast<double>(high.back())));
  };
  for (std::int64_t begin = 0; begin < samples.n; begin += run) {
    const std::int64_t end = std::min(samples.n, begin + run);
    double square = 0;
    for (std::size_t a = 0; a < static_cast<std::size_t>(n_dimensions_); ++a) {
      const auto first = samples.places[a].begin() + begin, last = samples.places[a].begin() + end;
      double origin = 0;
      if (sizeof(T) == 4) {
        const auto [least, most] = std::minmax_element(first, last);
        const double low = scaled(a, *least), high = scaled(a, *most);
        split(low / 2 + high / 2, origins_[a], origin_lows_[a]);
        origin = static_cast<double>(origins_[a].back()) + static_cast<double>(origin_lows_[a].back());
        square += (high - low) / 2 * ((high - low) / 2);
      }
      for (auto x = first; x != last; ++x) split(scaled(a, *x) - origin, high_[a], low_[a]);
    }
    square_radii_.push_back(static_cast<T>(square * rounding));
  }
}

template <class T>
simd::WeightRange<T> ScaledSamples<T>::range() const {
  simd::WeightRange<T> range;
  for (std::size_t a = 0; a < static_cast<std::size_t>(n_dimensions_); ++a) {
    range.place[a] = high_[a].data();
    range.low[a] = low_[a].data();
    range.origin[a] = origins_[a].data();
    range.origin_low[a] = origin_lows_[a].data();
  }
  range.square_radius = square_radii_.data();
  range.smoothing = smoothing_;
  return range;
}

template <class T>
double ScaledSamples<T>::value(std::int64_t c, double mean) const {
  const Column& column = scales_[static_cast<std::size_t>(c)];
  return std::clamp(column.zero + mean / column.factor, column.least, column.most);
}

template class ScaledSamples<float>;
template class ScaledSamples<double>;

}  // namespace crinkle::interpolation
