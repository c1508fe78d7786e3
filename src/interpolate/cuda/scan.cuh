// One target by a whole block in float64, by distances relative to the nearest one: right wherever it lies, and on samples their mean.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpolate/form.hpp"

namespace crinkle::interpolation::kernel {

inline constexpr int sum_threads = 256;

__device__ inline double infinity() { return __longlong_as_double(0x7FF0000000000000LL); }

/// The place of target t in the frame, rounded as Targets::at rounds it: nothing is fused, so that a hit stays one.
template <int n_dimensions>
__device__ void target_at(const CudaTargets& targets, std::int64_t t, double (&q)[3]) {
  q[2] = 0;
  if (targets.is_raster) {
    const std::int64_t nx = targets.extents[0], ny = targets.extents[1], row = t / nx;
    const std::int64_t cell[3] = {t - row * nx, row % ny, row / ny};
    for (int a = 0; a < n_dimensions; ++a)
      q[a] = __dadd_rn(targets.first[a], __dmul_rn(static_cast<double>(targets.begin[a] + cell[a]), targets.step[a]));
  } else {
    for (int a = 0; a < n_dimensions; ++a) {
      const std::int64_t i = t * n_dimensions + a;
      q[a] = targets.is_float ? static_cast<double>(static_cast<const float*>(targets.places)[i])
                              : static_cast<const double*>(targets.places)[i];
    }
  }
  if (n_dimensions == 2 && targets.ratio != 1) {
    const double dx = q[0] - targets.origin[0], dy = q[1] - targets.origin[1];
    q[0] = __dadd_rn(__dmul_rn(targets.cosine, dx), __dmul_rn(targets.sine, dy));
    q[1] = __dmul_rn(targets.ratio, __dsub_rn(__dmul_rn(targets.cosine, dy), __dmul_rn(targets.sine, dx)));
  }
}

/// NaN stays NaN.
__device__ inline double clamped(double x, const CudaColumn& column) {
  return x < column.least ? column.least : x > column.most ? column.most : x;
}

__device__ inline void put(const CudaValues& values, std::int64_t n_targets, int column, std::int64_t t, double x) {
  const std::int64_t at = (values.first_column + column) * n_targets + t;
  if (values.is_float) static_cast<float*>(values.data)[at] = static_cast<float>(x);
  else static_cast<double*>(values.data)[at] = x;
}

/// Joins the x of all threads of the block in a fixed order; every thread gets the result.
template <class Join>
__device__ double joined(double x, double (&shared)[sum_threads], const Join& join) {
  __syncthreads();
  shared[threadIdx.x] = x;
  for (int n = sum_threads / 2; n > 0; n /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < n) shared[threadIdx.x] = join(shared[threadIdx.x], shared[static_cast<int>(threadIdx.x) + n]);
  }
  __syncthreads();
  return shared[0];
}

__device__ inline double relative_weight(double ratio, double power) {
  if (power == 1) return 1 / sqrt(ratio);
  if (power == 2) return 1 / ratio;
  if (power == 4) return 1 / (ratio * ratio);
  return pow(ratio, -power / 2);
}

template <int n_dimensions>
__device__ __noinline__ void scan(const CudaSamples& samples, const CudaTargets& targets, std::int64_t t, const CudaColumn* columns,
                                  const CudaValues& values) {
  __shared__ double shared[sum_threads];
  const auto add = [](double a, double b) { return a + b; };
  double q[3];
  target_at<n_dimensions>(targets, t, q);
  const auto square = [&](std::int64_t i, bool& is_there) {
    double s = samples.smoothing;
    is_there = s == 0;
    for (int a = 0; a < n_dimensions; ++a) {
      const double away = samples.places[a][i] - q[a];
      is_there = is_there && away == 0;
      s += away * away;
    }
    return s;
  };
  double least = infinity(), n_there = 0;
  bool is_there = false;
  for (std::int64_t i = threadIdx.x; i < samples.n; i += sum_threads) {
    least = fmin(least, square(i, is_there));
    n_there += is_there ? 1 : 0;
  }
  least = joined(least, shared, [](double a, double b) { return fmin(a, b); });
  const bool is_hit = joined(n_there, shared, add) > 0;
  for (int c = 0; c < values.n_columns; ++c) {
    const std::int64_t number = values.first_column + c;
    const CudaColumn& column = columns[number];
    double weights = 0, sum = 0;
    for (std::int64_t i = threadIdx.x; i < samples.n; i += sum_threads) {
      const double s = square(i, is_there);
      double w = is_hit ? (is_there ? 1 : 0) : least > 0 ? relative_weight(s / least, samples.power) : s == 0 ? 1 : 0;
      if (s != s) w = s;
      if (samples.weights != nullptr) w *= samples.weights[i];
      weights += w;
      sum += w * (samples.values[number * samples.n + i] - column.least);
    }
    weights = joined(weights, shared, add);
    sum = joined(sum, shared, add);
    if (threadIdx.x == 0) put(values, targets.n, c, t, clamped(column.least + sum / weights, column));
  }
}

}  // namespace crinkle::interpolation::kernel
