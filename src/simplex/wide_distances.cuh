// Distances of points of more than eight features: both stretches of points go by in shared memory, 16 features at a time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "simplex/distance_rule.cuh"
#include "tile/distance_block.hpp"

namespace crinkle::kernel {

template <Metric metric, class T>
__global__ void __launch_bounds__(tile::DistanceBlock::threads, sizeof(T) == 4 ? 2 : 1)
    wide_distances(const __grid_constant__ tile::DistanceBlock launch, const T* __restrict__ points, T* __restrict__ out, std::int64_t n,
                   std::int64_t n_features, std::int64_t first_block) {
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
    const auto bring = [&](T* to, int pitch, int n_points, std::int64_t from) {
      for (int e = t; e < step * n_points; e += Block::threads) {
        const int f = e % step, p = e / step;
        const std::int64_t k = from + p < n ? from + p : n - 1;
        if (f < n_step) to[f * pitch + p] = points[k * n_features + first + f];
      }
    };
    bring(&lines[0][0], Block::n_lines + gap, Block::n_lines, block.first_line);
    bring(&alongs[0][0], Block::n_alongs + gap, Block::n_alongs, block.first_along);
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
      const T *const x = points + line * n_features, *const y = points + along * n_features;
      if constexpr (Rule::has_norms) {
        const double inverse_x = Rule::inverse(line_norm[k]), inverse_y = Rule::inverse(along_norm[m]);
        line_out[along] = Rule::finish(sum[k][m], inverse_x, inverse_y, line == along, x, y, n_features);
      } else {
        line_out[along] = Rule::finish(sum[k][m], x, y, n_features);
      }
    }
  }
}

}  // namespace crinkle::kernel
