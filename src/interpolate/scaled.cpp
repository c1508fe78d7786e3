// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/scaled.hpp"

#include <algorithm>
#include <cmath>

#include "base/checked.hpp"

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

Scale::Scale(Real type, int n_dimensions, const Box& box, double smoothing_distance, const std::vector<double>& least,
             const std::vector<double>& most) {
  double extent = smoothing_distance;
  for (std::size_t a = 0; a < index(n_dimensions); ++a) {
    // Differences of float64 coordinates are right as they are; what is rounded to float32 is first brought near 0.
    if (type == Real::float32) origin[a] = box[0][a] / 2 + box[1][a] / 2;
    extent = std::max(extent, box[1][a] - box[0][a]);
  }
  factor = to_one(extent);
  const double scaled = smoothing_distance * factor;
  smoothing = scaled * scaled;
  for (std::size_t c = 0; c < least.size(); ++c) {
    const double zero = least[c] == most[c] ? least[c] : least[c] / 2 + most[c] / 2;
    columns.push_back({zero, to_one(most[c] - zero), least[c], most[c]});
  }
}

namespace {

Scale::Box with_samples(Scale::Box box, const SamplePlanes& samples) {
  for (std::size_t a = 0; a < index(samples.n_dimensions); ++a) {
    const auto [least, most] = std::minmax_element(samples.places[a].begin(), samples.places[a].end());
    box[0][a] = std::min(*least, box[0][a]);
    box[1][a] = std::max(*most, box[1][a]);
  }
  return box;
}

}  // namespace

template <class T>
ScaledSamples<T>::ScaledSamples(const SamplePlanes& samples, const Interpolation& how, const Scale::Box& bounds)
    : n_dimensions_(samples.n_dimensions),
      has_weights_(!samples.weights.empty()),
      scale_(sizeof(T) == 4 ? Real::float32 : Real::float64, samples.n_dimensions, with_samples(bounds, samples), how.smoothing,
             samples.least, samples.most) {
  place(samples);
  ScaleValues<T> scale;
  if (has_weights_) {
    scale.weights = samples.weights.data();
    scale.most_weight = *std::max_element(samples.weights.begin(), samples.weights.end());
  }
  const auto add_column = [&](const auto& step) {
    for (std::int64_t i = 0; i < samples.n; ++i) step(i);
  };
  for (std::size_t c = 0; c < samples.values.size(); ++c) {
    scale.values = samples.values[c].data();
    scale.zero = scale_.columns[c].zero;
    scale.factor = scale_.columns[c].factor;
    scale.to = columns_.emplace_back(index(samples.n)).data();
    add_column(scale);
  }
  if (!has_weights_) return;
  scale.to = columns_.emplace_back(index(samples.n)).data();
  add_column(ScaleWeights<T>{scale});
}

template <class T>
void ScaledSamples<T>::place(const SamplePlanes& samples) {
  static_assert(run_samples == simd::WeightRange<T>::samples_together);
  const std::int64_t n_runs = ceil_divide(samples.n, run_samples);
  ScaleRun<T> scale{.n = samples.n, .n_dimensions = n_dimensions_, .factor = scale_.factor};
  const auto taken = [](std::vector<T>& numbers, std::int64_t n) {
    numbers.resize(index(n));
    return numbers.data();
  };
  for (std::size_t a = 0; a < index(n_dimensions_); ++a) {
    scale.places[a] = samples.places[a].data();
    scale.origin[a] = scale_.origin[a];
    scale.to.high[a] = taken(high_[a], samples.n);
    if (sizeof(T) == 8) continue;
    scale.to.low[a] = taken(low_[a], samples.n);
    scale.to.origin[a] = taken(origins_[a], n_runs);
    scale.to.origin_low[a] = taken(origin_lows_[a], n_runs);
  }
  if (sizeof(T) == 4) scale.to.square_radius = taken(square_radii_, n_runs);
  for (std::int64_t run = 0; run < n_runs; ++run) scale(run);
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
  range.smoothing = static_cast<T>(scale_.smoothing);
  return range;
}

template <class T>
double ScaledSamples<T>::value(std::int64_t c, double mean) const {
  const CudaColumn& column = scale_.columns[static_cast<std::size_t>(c)];
  return std::clamp(column.zero + mean / column.factor, column.least, column.most);
}

template class ScaledSamples<float>;
template class ScaledSamples<double>;

}  // namespace crinkle::interpolation
