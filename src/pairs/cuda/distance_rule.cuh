// A metric's rule for the features of a pair, one after the other, on a GPU: sum = add(sum, x, y) for each of them, then finish(sum).
// The metric cosine sums in float64.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "crinkle/pairs.hpp"
#include "pairs/squares.hpp"

namespace crinkle::kernel {

/// Within a unit in the last place, by one instruction, of plain sums (squares.hpp).
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

/// Whether Euclidean differences need no scale, given the sum of their squares; NaN asks for one, and stays NaN.
template <class T>
__device__ inline bool is_plain(T sum) {
  return sum >= SquareRange<T>::least && sum <= SquareRange<T>::most;
}
/// The factor for such differences, 1 where the sum is plain or NaN; their root is multiplied by `back`.
template <class T>
struct Scale {
  T there = 1, back = 1;
  __device__ explicit Scale(T sum) {
    using Range = SquareRange<T>;
    if (sum < Range::least) there = Range::up, back = Range::down;
    if (sum > Range::most) there = Range::down, back = Range::up;
  }
};

/// The exponent of the largest feature of a point of float64, of features(f) for f < n; 0 of one that is zero, infinite or NaN.
template <class Features>
__device__ inline int exponent_of(const Features& features, std::int64_t n) {
  double most = 0;
  for (std::int64_t f = 0; f < n; ++f) most = greater(fabs(features(f)), most);
  return most > 0 && most <= SquareRange<double>::most ? ilogb(most) : 0;
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
  __device__ static T finish(Sum sum) {
    if constexpr (metric == Metric::euclidean) return root(sum);
    else return static_cast<T>(sum);
  }
  /// The cosine distance from the sum of products and the inverse lengths of both points, infinite for a zero point.
  __device__ static T finish(Sum sum, double inverse_x, double inverse_y, bool is_same) {
    const double distance = fma(-sum, inverse_x * inverse_y, 1.0);  // fused wherever it stands: both halves of a square get the same bits
    if (distance < 0x1p-50 || (is_same && distance == distance)) return 0;  // as on a CPU: points that coincide are 0 apart
    return static_cast<T>(distance > 2 ? 2 : distance);
  }
};

}  // namespace crinkle::kernel
