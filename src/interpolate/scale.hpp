// Samples as the kernels of sums read them, a run after the other: the same steps on a CPU and on a GPU, with the same bits. (scaled.hpp
// says what they are.) SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle::interpolation {

/// A product that no sum is fused with.
CRINKLE_HD inline double times(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

inline constexpr std::int64_t run_samples = 64;  // samples of a run, which lie together (simd::WeightRange::samples_together)

/// Arrays of places: [n] an axis. Of float32 alone: what rounding left of them, and of every run its origin and what |x|² is at most.
template <class T>
struct ScaledPlaces {
  T *high[3] = {}, *low[3] = {};
  T *origin[3] = {}, *origin_low[3] = {}, *square_radius = nullptr;  // [⌈n / run_samples⌉]
};

/// The places of run r: (x − origin) · factor, in float32 less the middle of the run.
template <class T>
struct ScaleRun {
  const double* places[3] = {};
  std::int64_t n = 0;
  int n_dimensions = 2;
  double origin[3] = {}, factor = 1;
  ScaledPlaces<T> to{};

  CRINKLE_HD void operator()(std::int64_t run) const {
    const std::int64_t begin = run * run_samples, end = begin + run_samples < n ? begin + run_samples : n;
    double square = 0;
    for (int a = 0; a < n_dimensions; ++a) {
      const double* const x = places[a];
      double middle = 0;
      if constexpr (is_split) {
        double least = x[begin], most = x[begin];
        for (std::int64_t i = begin; i < end; ++i) {
          least = x[i] < least ? x[i] : least;
          most = most < x[i] ? x[i] : most;
        }
        const double low = scaled(a, least), high = scaled(a, most), half = (high - low) / 2;
        split(times(low, 0.5) + times(high, 0.5), to.origin[a][run], to.origin_low[a][run]);
        middle = static_cast<double>(to.origin[a][run]) + static_cast<double>(to.origin_low[a][run]);
        square += times(half, half);
      }
      for (std::int64_t i = begin; i < end; ++i) {
        const double place = scaled(a, x[i]) - middle;
        if constexpr (is_split) split(place, to.high[a][i], to.low[a][i]);
        else to.high[a][i] = place;
      }
    }
    constexpr double rounding = 1 + 1e-6;
    if constexpr (is_split) to.square_radius[run] = static_cast<T>(square * rounding);
  }

 private:
  static constexpr bool is_split = sizeof(T) == 4;
  CRINKLE_HD double scaled(int a, double x) const { return times(x - origin[a], factor); }
  CRINKLE_HD static void split(double x, T& high, T& low) {
    high = static_cast<T>(x);
    low = static_cast<T>(x - static_cast<double>(high));
  }
};

/// Values between −1 and 1, times the weight; weights of at most 1.
template <class T>
struct ScaleValues {
  const double *values = nullptr, *weights = nullptr;  // [n]; no weights: all 1
  double zero = 0, factor = 1, most_weight = 1;
  T* to = nullptr;
  CRINKLE_HD void operator()(std::int64_t i) const { to[i] = static_cast<T>((values[i] - zero) * factor * weight(i)); }
  CRINKLE_HD double weight(std::int64_t i) const { return weights == nullptr ? 1 : weights[i] / most_weight; }
};
template <class T>
struct ScaleWeights {
  ScaleValues<T> of{};
  CRINKLE_HD void operator()(std::int64_t i) const { of.to[i] = static_cast<T>(of.weight(i)); }
};

}  // namespace crinkle::interpolation
