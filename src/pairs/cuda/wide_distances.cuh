// Distances of points of more than eight features: both stretches of points go by in shared memory, 16 features at a time. Pairs whose
// squares leave the range of their type are computed once more, from memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pairs/cuda/distance_rule.cuh"
#include "tile/distance_block.hpp"

namespace crinkle::kernel {

/// x and y have n_features; `sum`, of the squares of their differences, is not plain.
template <class T>
__device__ __noinline__ T scaled_euclidean(const T* x, const T* y, std::int64_t n_features, T sum) {
  const Scale<T> scale(sum);
  sum = 0;
#pragma unroll 1
  for (std::int64_t f = 0; f < n_features; ++f) {
    const T d = (x[f] - y[f]) * scale.there;
    sum = fma(d, d, sum);
  }
  return root(sum) * scale.back;
}

/// The cosine of points whose lengths squared may be beyond the type: both are brought near 1.
static __device__ __noinline__ double scaled_cosine(const double* x, const double* y, std::int64_t n_features) {
  const int x_exponent = exponent_of([x](std::int64_t f) { return x[f]; }, n_features);
  const int y_exponent = exponent_of([y](std::int64_t f) { return y[f]; }, n_features);
  double xy = 0, xx = 0, yy = 0;
#pragma unroll 1
  for (std::int64_t f = 0; f < n_features; ++f) {
    const double a = scalbn(x[f], -x_exponent), b = scalbn(y[f], -y_exponent);
    xy = fma(a, b, xy);
    xx = fma(a, a, xx);
    yy = fma(b, b, yy);
  }
  return xy * ((1 / sqrt(xx)) * (1 / sqrt(yy)));
}
/// Whether a length squared is far from both ends of its range; then every product of two points is, too.
__device__ inline bool is_square_of_length(double square) { return square >= 0x1p-900 && square <= 0x1p900; }

template <Metric metric, class T>
__global__ void __launch_bounds__(tile::DistanceBlock::threads, sizeof(T) == 4 ? 2 : 1)
    wide_distances(const __grid_constant__ tile::DistanceBlock launch, const T* __restrict__ line_points,
                   const T* __restrict__ along_points, T* __restrict__ out, std::int64_t n_alongs, std::int64_t n_features,
                   std::int64_t same, std::int64_t first_block) {
  using Rule = DistanceRule<metric, T>;
  using Sum = typename Rule::Sum;
  using Block = tile::DistanceBlock;
  constexpr int n_mine = Block::lines_thread, m_mine = Block::alongs_thread, step = 16;
  constexpr int gap = 16 / static_cast<int>(sizeof(T));  // so that rows begin at other banks, and at multiples of 16 bytes
  __shared__ __align__(16) T lines[step][Block::n_lines + gap], alongs[step][Block::n_alongs + gap];  // [feature][point]

  Block block = launch;
  block.begin_block(first_block + blockIdx.x);
  const int t = static_cast<int>(threadIdx.x), first_line = Block::line_of(t, 0);
  Sum sum[n_mine][m_mine] = {};
  double line_norm[Rule::has_norms ? n_mine : 1] = {}, along_norm[Rule::has_norms ? m_mine : 1] = {};
  for (std::int64_t first = 0; first < n_features; first += step) {
    const int n_step = static_cast<int>(n_features - first < step ? n_features - first : step);
    __syncthreads();
    const auto bring = [&](T* to, int pitch, int n_points, const T* __restrict__ points, std::int64_t from, std::int64_t n) {
      for (int e = t; e < step * n_points; e += Block::threads) {
        const int f = e % step, p = e / step;
        const std::int64_t k = from + p < n ? from + p : n - 1;
        if (f < n_step) to[f * pitch + p] = points[k * n_features + first + f];
      }
    };
    bring(&lines[0][0], Block::n_lines + gap, Block::n_lines, line_points, block.first_line, block.pairs.line_end);
    bring(&alongs[0][0], Block::n_alongs + gap, Block::n_alongs, along_points, block.first_along, n_alongs);
    __syncthreads();
#pragma unroll 1
    for (int f = 0; f < n_step; ++f) {
      T x[n_mine], y[m_mine];
#pragma unroll
      for (int k = 0; k < n_mine; ++k) x[k] = lines[f][first_line + k];
#pragma unroll
      for (int m = 0; m < m_mine; ++m) y[m] = alongs[f][Block::along_of(t, m)];
      if constexpr (Rule::has_norms) {
#pragma unroll
        for (int k = 0; k < n_mine; ++k) line_norm[k] = Rule::add(line_norm[k], x[k], x[k]);
#pragma unroll
        for (int m = 0; m < m_mine; ++m) along_norm[m] = Rule::add(along_norm[m], y[m], y[m]);
      }
#pragma unroll
      for (int k = 0; k < n_mine; ++k)
#pragma unroll
        for (int m = 0; m < m_mine; ++m) sum[k][m] = Rule::add(sum[k][m], x[k], y[m]);
    }
  }
  const bool is_whole = block.is_whole();
#pragma unroll
  for (int k = 0; k < n_mine; ++k) {
    const std::int64_t line = block.first_line + Block::line_of(t, k);
    T* const line_out = out + block.pairs.lines.start(line);
#pragma unroll
    for (int m = 0; m < m_mine; ++m) {
      const std::int64_t along = block.first_along + Block::along_of(t, m);
      if (!is_whole && !block.has(line, along)) continue;
      T distance;
      if constexpr (Rule::has_norms)
        distance = Rule::finish(sum[k][m], 1 / sqrt(line_norm[k]), 1 / sqrt(along_norm[m]), line + same == along);
      else distance = Rule::finish(sum[k][m]);
      if constexpr (metric == Metric::euclidean) {
        if (!is_plain(sum[k][m]))
          distance = scaled_euclidean(line_points + line * n_features, along_points + along * n_features, n_features, sum[k][m]);
      } else if constexpr (metric == Metric::cosine && sizeof(T) == 8) {
        if (!is_square_of_length(line_norm[k]) || !is_square_of_length(along_norm[m]))
          distance = Rule::finish(scaled_cosine(line_points + line * n_features, along_points + along * n_features, n_features), 1, 1,
                                  line + same == along);
      }
      line_out[along] = distance;
    }
  }
}

}  // namespace crinkle::kernel
