// What a metric does with the features of a pair, one after the other, on a GPU: sum = add(sum, x, y) for each of them, then finish(sum).
// Sums of cosine are of float64. Where squares left the range of the sum, is_plain() is false: then the pair is looked at once more, by
// again(), which reads both points.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "crinkle/pairs.hpp"
#include "simplex/squares.hpp"

namespace crinkle::kernel {

/// Within a unit in the last place, by one instruction, of plain sums.
__device__ inline float root(float v) {
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
  return r;
}
__device__ inline double root(double v) { return sqrt(v); }

/// The greater one; NaN if either is.
__device__ inline float greater(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
__device__ inline double greater(double a, double b) { return a > b || a != a ? a : b; }

/// x and y have n_features; `sum`, of the squares of their differences, is not plain.
template <class T>
__device__ __noinline__ T scaled_euclidean(const T* x, const T* y, std::int64_t n_features, T sum) {
  const T scale = sum < SquareRange<T>::least ? SquareRange<T>::up : SquareRange<T>::down;
  T scaled = 0;
#pragma unroll 1
  for (std::int64_t f = 0; f < n_features; ++f) {
    const T d = (x[f] - y[f]) * scale;
    scaled = fma(d, d, scaled);
  }
  return sqrt(scaled) / scale;
}

/// The exponent that a point's largest feature has; 0 of one that is zero, infinite or NaN.
template <class T>
__device__ inline int exponent_of(const T* x, std::int64_t n_features) {
  double most = 0;
#pragma unroll 1
  for (std::int64_t f = 0; f < n_features; ++f) most = greater(fabs(static_cast<double>(x[f])), most);
  return most > 0 && most <= SquareRange<double>::most ? ilogb(most) : 0;
}

/// 1 − cos of points of any length: both are brought near 1.
template <class T>
__device__ __noinline__ double scaled_cosine(const T* x, const T* y, std::int64_t n_features) {
  const int x_exponent = exponent_of(x, n_features), y_exponent = exponent_of(y, n_features);
  double xy = 0, xx = 0, yy = 0;
#pragma unroll 1
  for (std::int64_t f = 0; f < n_features; ++f) {
    const double a = scalbn(static_cast<double>(x[f]), -x_exponent), b = scalbn(static_cast<double>(y[f]), -y_exponent);
    xy = fma(a, b, xy);
    xx = fma(a, a, xx);
    yy = fma(b, b, yy);
  }
  return 1 - xy * ((1 / sqrt(xx)) * (1 / sqrt(yy)));
}

template <Metric metric, class T>
struct DistanceRule {
  static constexpr bool has_norms = metric == Metric::cosine;
  using Sum = std::conditional_t<has_norms, double, T>;

  __device__ static Sum add(Sum sum, T x, T y) {
    if constexpr (metric == Metric::cosine) return fma(static_cast<double>(x), static_cast<double>(y), sum);
    else if constexpr (metric == Metric::manhattan) return sum + fabs(x - y);
    else if constexpr (metric == Metric::chebyshev) return greater(fabs(x - y), sum);
    else {
      const T d = x - y;
      return fma(d, d, sum);
    }
  }
  /// x and y: where the pair's points lie.
  __device__ static T finish(Sum sum, const T* x, const T* y, std::int64_t n_features) {
    if constexpr (metric == Metric::euclidean) {
      const bool is_plain = sum >= SquareRange<T>::least && sum <= SquareRange<T>::most;
      return is_plain ? root(sum) : scaled_euclidean(x, y, n_features, sum);
    } else {
      return static_cast<T>(sum);
    }
  }
  /// Of cosine: 1 over a length, NaN where its square has left the range or is near doing so.
  __device__ static double inverse(double square) {
    return square >= 0x1p-900 && square <= 0x1p900 ? 1 / sqrt(square) : static_cast<double>(nanf(""));
  }
  /// From the sum of products and the inverse lengths of both points.
  __device__ static T finish(Sum sum, double inverse_x, double inverse_y, bool is_same, const T* x, const T* y, std::int64_t n_features) {
    double distance = 1 - sum * (inverse_x * inverse_y);
    if (distance != distance) distance = scaled_cosine(x, y, n_features);
    if (distance < 0x1p-50 || (is_same && distance == distance)) return 0;  // as on a CPU: points that coincide are 0 apart
    return static_cast<T>(distance > 2 ? 2 : distance);
  }
};

}  // namespace crinkle::kernel
