// Inverse-distance sums on a GPU. A block has 8 warps of the same targets, several a thread; samples come through tiles in shared memory,
// every warp taking 64 of a tile. Sums over these 64 are of T, all others of float64, the warps' added in their order: the same bits in
// every run. Targets on samples or next to them, and sums beyond the range of T, are recognised by their sums; the block scans for these in
// float64.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <type_traits>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "interpolate/cuda_form.hpp"
#include "interpolate/cuda_scan.cuh"

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
  if constexpr (std::is_same_v<T, float>) return exp2f(-half_power * log2f(s * scale));
  else return exp2(-half_power * log2(s * scale));
}

/// What a thread sums up, and the targets it does so for.
template <class T, int n_dimensions, CudaRule rule, bool is_full>
struct Sums {
  static constexpr int columns = is_full ? cuda_columns : 1;
  static constexpr int targets = sizeof(T) == 4 && !is_full ? 4 : 2;
  static constexpr int n_low = sizeof(T) == 4 ? n_dimensions : 0;
  static constexpr int n_numbers = n_dimensions + columns + (is_full ? 1 : 0) + n_low;
  static constexpr int low_at = n_numbers - n_low;
  static constexpr int block_targets = warp * targets;
  static constexpr bool finds_least = is_full || rule == CudaRule::any;
  struct alignas(16) Row {
    T numbers[n_numbers];
  };

  T q[targets][n_dimensions], low[targets][n_dimensions], least[targets], scale[targets];
  double weights[targets], sums[targets][columns];

  template <bool has_low>
  __device__ T square(const Row& row, int k, T smoothing) const {
    T s = smoothing;
#pragma unroll
    for (int a = 0; a < n_dimensions; ++a) {
      T away = row.numbers[a] - q[k][a];
      if constexpr (has_low) away += row.numbers[low_at + a] - low[k][a];
      s = fma(away, away, s);
    }
    return s;
  }

  template <bool has_low>
  __device__ void find_least(const Row* rows, int n, T smoothing) {
#pragma unroll 4
    for (int j = 0; j < n; ++j) {
      const Row row = rows[j];
#pragma unroll
      for (int k = 0; k < targets; ++k) least[k] = fmin(least[k], square<has_low>(row, k, smoothing));
    }
  }

  template <bool has_low>
  __device__ void add(const Row* rows, int n, T smoothing, T half_power) {
    T part[targets] = {}, parts[targets][columns] = {};
#pragma unroll 4
    for (int j = 0; j < n; ++j) {
      const Row row = rows[j];
#pragma unroll
      for (int k = 0; k < targets; ++k) {
        const T s = square<has_low>(row, k, smoothing);
        if constexpr (is_full && rule != CudaRule::any) least[k] = fmin(least[k], s);
        const T w = weight<rule>(s, scale[k], half_power);
        if constexpr (is_full) part[k] = fma(w, row.numbers[n_dimensions + columns], part[k]);
        else part[k] += w;
#pragma unroll
        for (int c = 0; c < columns; ++c) parts[k][c] = fma(w, row.numbers[n_dimensions + c], parts[k][c]);
      }
    }
#pragma unroll
    for (int k = 0; k < targets; ++k) {
      weights[k] += static_cast<double>(part[k]);
#pragma unroll
      for (int c = 0; c < columns; ++c) sums[k][c] += static_cast<double>(parts[k][c]);
    }
  }
};

/// Goes through all samples; `use` is given this warp's rows of every tile.
template <class S, class T, class Use>
__device__ void each_tile(const CudaSamples& samples, const CudaScaled<T>& scaled, const CudaValues& values, int n_dimensions,
                          typename S::Row* rows, const Use& use) {
  for (std::int64_t begin = 0; begin < samples.n; begin += tile) {
    const int n = static_cast<int>(min(static_cast<std::int64_t>(tile), samples.n - begin));
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < n; i += sum_threads) {
      const std::int64_t at = begin + i;
      T* to = rows[i].numbers;
      for (int a = 0; a < n_dimensions; ++a) {
        to[a] = scaled.place[a][at];
        if constexpr (S::n_low > 0) to[S::low_at + a] = scaled.has_low ? scaled.low[a][at] : T{0};
      }
      for (int c = 0; c < S::columns; ++c)
        to[n_dimensions + c] = scaled.values[(values.first_column + min(c, values.n_columns - 1)) * samples.n + at];
      if constexpr (S::columns > 1) to[n_dimensions + S::columns] = scaled.weights[at];
    }
    __syncthreads();
    const int first = static_cast<int>(threadIdx.x) / warp * run;
    use(rows + first, min(run, n - first));  // none where it is negative
  }
}

template <class T, int n_dimensions, CudaRule rule, bool is_full>
__global__ void __launch_bounds__(sum_threads)
    sum(CudaSamples samples, CudaScaled<T> scaled, CudaTargets targets, CudaValues values, std::int64_t first_block) {
  using S = Sums<T, n_dimensions, rule, is_full>;
  __shared__ typename S::Row rows[tile];
  __shared__ double totals[S::columns + 1][S::block_targets];
  __shared__ T least[n_warps][S::block_targets];
  __shared__ bool is_wrong[S::block_targets];
  const int lane = static_cast<int>(threadIdx.x) % warp, warp_here = static_cast<int>(threadIdx.x) / warp;
  const std::int64_t first = (first_block + blockIdx.x) * S::block_targets;
  S s;
  bool has_low = false;
  for (int k = 0; k < S::targets; ++k) {
    double q[3];
    target_at<n_dimensions>(targets, min(first + k * warp + lane, targets.n - 1), q);
    for (int a = 0; a < n_dimensions; ++a) {
      const double x = (q[a] - scaled.origin[a]) * scaled.factor;
      s.q[k][a] = static_cast<T>(x);
      s.low[k][a] = static_cast<T>(x - static_cast<double>(s.q[k][a]));
      has_low = has_low || s.low[k][a] != 0;
    }
    s.least[k] = static_cast<T>(infinity());
    s.scale[k] = 1;
    s.weights[k] = 0;
    for (int c = 0; c < S::columns; ++c) s.sums[k][c] = 0;
  }
  has_low = __syncthreads_or(has_low || scaled.has_low) != 0;
  const auto share_least = [&] {
    for (int k = 0; k < S::targets; ++k) least[warp_here][k * warp + lane] = s.least[k];
    __syncthreads();
    for (int k = 0; k < S::targets; ++k)
      for (int w = 0; w < n_warps; ++w) s.least[k] = fmin(s.least[k], least[w][k * warp + lane]);
  };
  const auto go = [&](auto low) {
    constexpr bool uses_low = decltype(low)::value;
    if constexpr (rule == CudaRule::any) {
      each_tile<S>(samples, scaled, values, n_dimensions, rows,
                   [&](const typename S::Row* r, int n) { s.template find_least<uses_low>(r, n, scaled.smoothing); });
      share_least();
      for (int k = 0; k < S::targets; ++k) s.scale[k] = 1 / s.least[k];
    }
    each_tile<S>(samples, scaled, values, n_dimensions, rows,
                 [&](const typename S::Row* r, int n) { s.template add<uses_low>(r, n, scaled.smoothing, scaled.half_power); });
  };
  if constexpr (sizeof(T) == 4) {
    if (has_low) go(std::true_type());
    else go(std::false_type());
  } else {
    go(std::false_type());
  }
  if constexpr (is_full && rule != CudaRule::any) share_least();
  for (int w = 0; w < n_warps; ++w) {
    if (w == warp_here) {
      for (int k = 0; k < S::targets; ++k) {
        const int t = k * warp + lane;
        totals[0][t] = (w == 0 ? 0 : totals[0][t]) + s.weights[k];
        for (int c = 0; c < S::columns; ++c) totals[c + 1][t] = (w == 0 ? 0 : totals[c + 1][t]) + s.sums[k][c];
      }
    }
    __syncthreads();
  }
  if (warp_here == 0) {
    // Distances are known to 2^−49 of the box in float32: nearer than 2^−25 their error would count. Weights below 2^−60 may have been
    // lost.
    constexpr double least_square = sizeof(T) == 4 ? 0x1p-50 : 0x1p-1000, least_weight = sizeof(T) == 4 ? 0x1p-60 : 0x1p-900;
    for (int k = 0; k < S::targets; ++k) {
      const int t = k * warp + lane;
      const double weights = totals[0][t];
      bool is_right = weights > least_weight && weights < scaled.most_weight;
      if constexpr (S::finds_least) is_right = is_right && static_cast<double>(s.least[k]) > least_square;
      for (int c = 0; c < S::columns; ++c) is_right = is_right && isfinite(totals[c + 1][t]);
      is_wrong[t] = !is_right && first + t < targets.n;
      for (int c = 0; c < values.n_columns && is_right && first + t < targets.n; ++c) {
        const CudaColumn& column = scaled.columns[values.first_column + c];
        put(values, targets.n, c, first + t, clamped(column.zero + totals[c + 1][t] / weights / column.factor, column));
      }
    }
  }
  __syncthreads();
  for (int t = 0; t < S::block_targets; ++t)
    if (is_wrong[t]) scan<n_dimensions>(samples, targets, first + t, scaled.columns, values);
}

}  // namespace crinkle::interpolation::kernel

namespace crinkle::interpolation {

template <class T>
void launch_sum(int n_dimensions, CudaRule rule, bool is_full, const CudaSamples& samples, const CudaScaled<T>& scaled,
                const CudaTargets& targets, const CudaValues& values, CUstream_st* stream) {
  const auto with = [&]<int d, CudaRule r, bool f>() {
    constexpr std::int64_t block = kernel::Sums<T, d, r, f>::block_targets;
    gpu::for_each_grid((targets.n + block - 1) / block, [&](std::int64_t first, std::uint32_t n_blocks) {
      void* arguments[] = {const_cast<CudaSamples*>(&samples), const_cast<CudaScaled<T>*>(&scaled), const_cast<CudaTargets*>(&targets),
                           const_cast<CudaValues*>(&values), &first};
      gpu::launch(reinterpret_cast<const void*>(&kernel::sum<T, d, r, f>), {n_blocks, kernel::sum_threads}, arguments, stream,
                  "an interpolation");
    });
  };
  const auto of_rule = [&]<int d, bool f>() {
    switch (rule) {
      case CudaRule::one: return with.template operator()<d, CudaRule::one, f>();
      case CudaRule::two: return with.template operator()<d, CudaRule::two, f>();
      case CudaRule::three: return with.template operator()<d, CudaRule::three, f>();
      case CudaRule::four: return with.template operator()<d, CudaRule::four, f>();
      case CudaRule::any: return with.template operator()<d, CudaRule::any, f>();
    }
  };
  if (n_dimensions == 2) is_full ? of_rule.template operator()<2, true>() : of_rule.template operator()<2, false>();
  else is_full ? of_rule.template operator()<3, true>() : of_rule.template operator()<3, false>();
}

}  // namespace crinkle::interpolation
