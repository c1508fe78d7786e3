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

bool is_float(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

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
  bool are_floats = true;
  std::array<double, 3> middle{};
  for (std::size_t a = 0; a < n_axes; ++a) {
    const auto [least, most] = std::minmax_element(samples.places[a].begin(), samples.places[a].end());
    const double low = std::min(*least, bounds[0][a]), high = std::max(*most, bounds[1][a]);
    middle[a] = low / 2 + high / 2;
    extent = std::max(extent, high - low);
    are_floats = are_floats && std::all_of(samples.places[a].begin(), samples.places[a].end(), is_float);
  }
  factor_ = to_one(extent);
  // Differences of float32 and of float64 coordinates are right as they are; what is rounded to float32 is first brought near 0.
  if (sizeof(T) == 4 && !are_floats) origin_ = middle;
  const double smoothing = how.smoothing * factor_;
  smoothing_ = static_cast<T>(smoothing * smoothing);
  for (std::size_t a = 0; a < n_axes; ++a) {
    high_[a].resize(n);
    if (sizeof(T) == 4) low_[a].resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double x = scaled(a, samples.places[a][i]);
      high_[a][i] = static_cast<T>(x);
      if (sizeof(T) == 4) low_[a][i] = static_cast<T>(x - static_cast<double>(high_[a][i]));
    }
  }
  has_low_ = sizeof(T) == 4 && !are_floats;
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
simd::WeightRange<T> ScaledSamples<T>::range() const {
  simd::WeightRange<T> range;
  for (std::size_t a = 0; a < static_cast<std::size_t>(n_dimensions_); ++a) {
    range.place[a] = high_[a].data();
    range.low[a] = sizeof(T) == 4 ? low_[a].data() : nullptr;
  }
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
