// Inverse-distance sums on a GPU. A block has 8 warps of the same targets, several a thread; samples come through tiles in shared memory,
// every warp taking a run of 64 of a tile. Sums over these 64 are of T, all others of float64, the warps' added in their order: the same
// bits every time. float32 places are relative to their run's origin, and so are the targets for it; the second halves of both count where
// one of the targets is within the run's reach (weight_kernels.hpp). Where the targets of every thread lie in a row, as in most blocks of a
// raster, they share all but one axis. Targets on samples or next to them, and sums beyond the range of T, are recognised by their sums;
// the block scans for these in float64.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "interpolate/cuda/scan.cuh"
#include "interpolate/cuda/sums.cuh"
#include "interpolate/form.hpp"

namespace crinkle::interpolation::kernel {

/// Goes through all samples; `use` is given this warp's rows of every tile, their number and that of their run.
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
        if constexpr (S::n_low > 0) to[S::low_at + a] = scaled.low[a][at];
      }
      if constexpr (S::n_low > 0) {
        T square = 0;
        for (int a = 0; a < n_dimensions; ++a) square = fma(to[a], to[a], square);
        to[S::square_at] = square;
      }
      for (int c = 0; c < S::columns; ++c)
        to[n_dimensions + c] = scaled.values[(values.first_column + min(c, values.n_columns - 1)) * samples.n + at];
      if constexpr (S::columns > 1) to[n_dimensions + S::columns] = scaled.weights[at];
    }
    __syncthreads();
    const int first = static_cast<int>(threadIdx.x) / warp * run;
    if (first < n) use(rows + first, min(run, n - first), (begin + first) / run);
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
  bool is_row = true;
  for (int k = 0; k < S::targets; ++k) {
    double q[3];
    target_at<n_dimensions>(targets, min(first + lane * S::targets + k, targets.n - 1), q);
    for (int a = 0; a < n_dimensions; ++a) {
      const double x = (q[a] - scaled.origin[a]) * scaled.factor;
      s.q[k][a] = static_cast<T>(x);
      s.q_low[k][a] = static_cast<T>(x - static_cast<double>(s.q[k][a]));
      if (a > 0) is_row = is_row && s.q[k][a] == s.q[0][a] && s.q_low[k][a] == s.q_low[0][a];
    }
    s.least[k] = static_cast<T>(infinity());
    s.scale[k] = 1;
    s.weights[k] = 0;
    for (int c = 0; c < S::columns; ++c) s.sums[k][c] = 0;
  }
  is_row = __syncthreads_and(is_row) != 0;
  const auto share_least = [&] {
    for (int k = 0; k < S::targets; ++k) least[warp_here][lane * S::targets + k] = s.least[k];
    __syncthreads();
    for (int k = 0; k < S::targets; ++k)
      for (int w = 0; w < n_warps; ++w) s.least[k] = fmin(s.least[k], least[w][lane * S::targets + k]);
  };
  using Way = typename S::Way;
  const auto each_run = [&](const auto& use) {
    each_tile<S>(samples, scaled, values, n_dimensions, rows, [&](const typename S::Row* from, int n, std::int64_t number) {
      typename S::Places at;
      if constexpr (sizeof(T) == 8) {
        s.see_directly(at);
        use.template operator()<Way::direct>(from, n, at);
      } else {
        if (s.is_far(scaled, number, at)) use.template operator()<Way::far>(from, n, at);
        else use.template operator()<Way::near>(from, n, at);
      }
    });
  };
  if (rule == CudaRule::any && scaled.is_relative) {
    each_run([&]<Way way>(const typename S::Row* from, int n, const typename S::Places& at) {
      s.template find_least<way>(from, n, at, scaled.smoothing);
    });
    share_least();
    for (int k = 0; k < S::targets; ++k) s.scale[k] = 1 / s.least[k];
  }
  each_run([&]<Way way>(const typename S::Row* from, int n, const typename S::Places& at) {
    if (way != Way::near && is_row) s.template add<way, way != Way::near>(from, n, at, scaled.smoothing, scaled.half_power);
    else s.template add<way, false>(from, n, at, scaled.smoothing, scaled.half_power);
  });
  if constexpr (is_full && rule != CudaRule::any) share_least();
  for (int w = 0; w < n_warps; ++w) {
    if (w == warp_here) {
      for (int k = 0; k < S::targets; ++k) {
        const int t = lane * S::targets + k;
        totals[0][t] = (w == 0 ? 0 : totals[0][t]) + s.weights[k];
        for (int c = 0; c < S::columns; ++c) totals[c + 1][t] = (w == 0 ? 0 : totals[c + 1][t]) + s.sums[k][c];
      }
    }
    __syncthreads();
  }
  if (warp_here == 0) {
    // Distances are known to 2^−49 of the box in float32: nearer than 2^−25 their error would count. Products
    // of float64 squares below 2^−500 could be lost, and weights below 2^−60 may have been.
    constexpr double least_square = sizeof(T) == 4 ? 0x1p-50 : 0x1p-500, least_weight = sizeof(T) == 4 ? 0x1p-60 : 0x1p-900;
    for (int k = 0; k < S::targets; ++k) {
      const int t = lane * S::targets + k;
      const double weights = totals[0][t];
      bool is_right = weights > least_weight && weights < scaled.most_weight;
      if (is_full || (rule == CudaRule::any && scaled.is_relative)) is_right = is_right && static_cast<double>(s.least[k]) > least_square;
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
