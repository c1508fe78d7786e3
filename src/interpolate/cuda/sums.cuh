// One thread of a sum on a GPU: the weights of runs of samples for some targets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpolate/cuda/scan.cuh"

namespace crinkle::interpolation::kernel {

inline constexpr int warp = 32, n_warps = sum_threads / warp, run = 64, tile = n_warps * run;

__device__ inline float reciprocal(float s) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(s));
  return r;
}
__device__ inline float root_reciprocal(float s) {
  float r;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(s));
  return r;
}
// The logarithm is within 2^-22 of itself, or of 1 where it is less, and so is the power of 2: a weight is wrong by at most p |log2 s|
// 2^-23 of it, which is 1e-5 for p = 4 at 2^-10 of the box.
__device__ inline float power(float s, float p) {
  float log, r;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log) : "f"(s));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(p * log));
  return r;
}
__device__ inline double power(double s, double p) { return exp2(p * log2(s)); }
// About 20 bits, twice doubled.
__device__ inline double reciprocal(double s) {
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(s));
  r = fma(r, fma(-s, r, 1.0), r);
  return fma(r, fma(-s, r, 1.0), r);
}
__device__ inline double root_reciprocal(double s) {
  double r;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(s));
  r = fma(0.5 * r, fma(-s * r, r, 1.0), r);
  return fma(0.5 * r, fma(-s * r, r, 1.0), r);
}

template <CudaRule rule, class T>
__device__ T weight(T s, T scale, T half_power) {
  if constexpr (rule == CudaRule::one) return root_reciprocal(s);
  if constexpr (rule == CudaRule::two) return reciprocal(s);
  if constexpr (rule == CudaRule::three) {
    const T r = root_reciprocal(s);
    return r * r * r;
  }
  if constexpr (rule == CudaRule::four) {
    const T r = reciprocal(s);
    return r * r;
  }
  return power(s * scale, -half_power);
}

/// A thread's sums, and the targets that it computes them for.
template <class T, int n_dimensions, CudaRule rule, bool is_full>
struct Sums {
  static constexpr int columns = is_full ? cuda_columns : 1;
  static constexpr int targets = sizeof(T) == 4 && !is_full ? 4 : 2;
  static constexpr int n_low = sizeof(T) == 4 ? n_dimensions : 0;
  static constexpr int square_at = n_dimensions + columns + (is_full ? 1 : 0), low_at = square_at + (n_low > 0 ? 1 : 0);
  static constexpr int n_numbers = low_at + n_low;
  static constexpr int block_targets = warp * targets;
  struct alignas(16) Row {
    T numbers[n_numbers];
  };

  T q[targets][n_dimensions], q_low[targets][n_dimensions], least[targets], scale[targets];
  double weights[targets], sums[targets][columns];

  /// The targets as the samples of a run see them. Far ones take |q − x|² = |x|² + (−2 q · x + |q|²), which is an operation less;
  /// the others, and all in float64, take the differences.
  enum class Way { far, near, direct };
  struct Places {
    T high[targets][n_dimensions], low[targets][n_dimensions];  // far: −2 q, and no low halves
    T square[targets];                                          // far: |q|² and the smoothing
  };

  /// Sees the targets in float64: no run has an origin.
  __device__ void see_directly(Places& at) const {
    for (int k = 0; k < targets; ++k)
      for (int a = 0; a < n_dimensions; ++a) at.high[k][a] = q[k][a];
  }
  /// Whether all targets of the warp are far from the run: 2 radii away or more, where three roundings of the square's parts are at most
  /// 2^-19 of it.
  __device__ bool is_far(const CudaScaled<T>& scaled, std::int64_t number, Places& at) const {
    constexpr T square_reach = 4;
    T origin[n_dimensions], origin_low[n_dimensions], nearest = static_cast<T>(infinity());
#pragma unroll
    for (int a = 0; a < n_dimensions; ++a) {
      origin[a] = scaled.run_origin[a][number];
      origin_low[a] = scaled.run_origin_low[a][number];
    }
#pragma unroll
    for (int k = 0; k < targets; ++k) {
      T s = 0;
#pragma unroll
      for (int a = 0; a < n_dimensions; ++a) {
        const T away = (q[k][a] - origin[a]) + (q_low[k][a] - origin_low[a]);
        s = fma(away, away, s);
        at.high[k][a] = -2 * away;
      }
      nearest = fmin(nearest, s);
      at.square[k] = s + scaled.smoothing;
    }
    if (__all_sync(~0U, nearest >= square_reach * scaled.square_radius[number])) return true;
    // The low half takes what subtracting the origin rounds off.
#pragma unroll
    for (int k = 0; k < targets; ++k) {
#pragma unroll
      for (int a = 0; a < n_dimensions; ++a) {
        const T away = q[k][a] - origin[a], back = q[k][a] - away;
        at.high[k][a] = away;
        at.low[k][a] = ((q[k][a] - (away + back)) + (back - origin[a])) + (q_low[k][a] - origin_low[a]);
      }
    }
    return false;
  }

  /// The part of target k's square that all axes but the first add; square() is all of it.
  template <Way way>
  __device__ static T rest_of_square(const Row& row, const Places& at, int k, T smoothing) {
    T s = smoothing;
    if constexpr (way == Way::far) s = row.numbers[square_at];
#pragma unroll
    for (int a = 1; a < n_dimensions; ++a) s = add_axis<way>(row, at, k, a, s);
    return s;
  }
  template <Way way>
  __device__ static T square(const Row& row, const Places& at, int k, T rest) {
    if constexpr (way == Way::far) rest += at.square[k];
    return add_axis<way>(row, at, k, 0, rest);
  }
  template <Way way>
  __device__ static T add_axis(const Row& row, const Places& at, int k, int a, T s) {
    if constexpr (way == Way::far) return fma(at.high[k][a], row.numbers[a], s);
    T away = row.numbers[a] - at.high[k][a];
    if constexpr (way == Way::near) away += row.numbers[low_at + a] - at.low[k][a];
    return fma(away, away, s);
  }

  template <Way way>
  __device__ void find_least(const Row* rows, int n, const Places& at, T smoothing) {
#pragma unroll 4
    for (int j = 0; j < n; ++j) {
      const Row row = rows[j];
#pragma unroll
      for (int k = 0; k < targets; ++k) least[k] = fmin(least[k], square<way>(row, at, k, rest_of_square<way>(row, at, k, smoothing)));
    }
  }

  template <Way way, bool is_row>
  __device__ void add(const Row* rows, int n, const Places& at, T smoothing, T half_power) {
    // Two squares a and b have one reciprocal, of their product: 1/a = b · 1/(ab). Where ab is too small for T, 1/a or 1/b tells in the sum
    // that the target is too near.
    T part[targets] = {}, parts[targets][columns] = {};
    const auto each = [&]<int n_samples>(const Row* from) {
      T w[n_samples][targets], s[n_samples][targets];
      Row row[n_samples];
#pragma unroll
      for (int i = 0; i < n_samples; ++i) {
        row[i] = from[i];
        const T of_first = rest_of_square<way>(row[i], at, 0, smoothing);
#pragma unroll
        for (int k = 0; k < targets; ++k) {
          s[i][k] = square<way>(row[i], at, k, is_row ? of_first : rest_of_square<way>(row[i], at, k, smoothing));
          if constexpr (is_full && rule != CudaRule::any) least[k] = fmin(least[k], s[i][k]);
        }
      }
#pragma unroll
      for (int k = 0; k < targets; ++k) {
        if constexpr (n_samples == 2) {
          const T both = reciprocal(s[0][k] * s[1][k]);
          if constexpr (rule == CudaRule::two && !is_full) {
            constexpr int value = n_dimensions;
            part[k] = fma(s[0][k] + s[1][k], both, part[k]);
            parts[k][0] = fma(fma(row[0].numbers[value], s[1][k], row[1].numbers[value] * s[0][k]), both, parts[k][0]);
            continue;
          }
          w[0][k] = both * s[1][k];
          w[1][k] = both * s[0][k];
          if constexpr (rule == CudaRule::four) {
            w[0][k] *= w[0][k];
            w[1][k] *= w[1][k];
          }
        } else {
#pragma unroll
          for (int i = 0; i < n_samples; ++i) w[i][k] = weight<rule>(s[i][k], scale[k], half_power);
        }
#pragma unroll
        for (int i = 0; i < n_samples; ++i) {
          if constexpr (is_full) part[k] = fma(w[i][k], row[i].numbers[n_dimensions + columns], part[k]);
          else part[k] += w[i][k];
#pragma unroll
          for (int c = 0; c < columns; ++c) parts[k][c] = fma(w[i][k], row[i].numbers[n_dimensions + c], parts[k][c]);
        }
      }
    };
    int j = 0;
    if constexpr (rule == CudaRule::two || rule == CudaRule::four) {
#pragma unroll 4
      for (; j + 1 < n; j += 2) each.template operator()<2>(rows + j);
    }
#pragma unroll 4
    for (; j < n; ++j) each.template operator()<1>(rows + j);
#pragma unroll
    for (int k = 0; k < targets; ++k) {
      weights[k] += static_cast<double>(part[k]);
#pragma unroll
      for (int c = 0; c < columns; ++c) sums[k][c] += static_cast<double>(parts[k][c]);
    }
  }
};

}  // namespace crinkle::interpolation::kernel
