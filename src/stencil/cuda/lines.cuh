// Rows of weights along one axis, of any length: what the passes of gaussians and box averages are. A thread makes a few vectors of 16
// bytes: across the line it asks for a column of vectors, each of which serves all of them; along the line for the vectors around its own.
// The coefficients come with the launch. Beyond the faces lies what stands for it. The order of products and sums is the list's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/march.cuh"

namespace crinkle::kernel {

/// total[i] gains coefficient k of what stands k behind it; the first product begins the sum.
template <class T>
__device__ inline void add_weighted(T& total, T coefficient, T value, bool is_first) {
  const T term = product(coefficient, value);
  total = is_first ? term : sum(total, term);
}

/// The axis is not the line: s.axes[n − 2] of extent and reach (below, above).
template <class T>
__global__ void __launch_bounds__(cuda_sweep_threads)
    rows_of_weights(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>, length = 4;
  __shared__ MarchBlock block;
  if (threadIdx.x == 0) find_march_block(s, 2, static_cast<std::uint64_t>(first_block) + blockIdx.x, block);
  __syncthreads();
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &along = s.axes[s.n_axes - 2];
  const int lane = static_cast<int>(threadIdx.x) & ((1 << s.lane_bits) - 1), beside = static_cast<int>(threadIdx.x) >> s.lane_bits;
  const std::int64_t x = ((block.tile[2] << s.lane_bits) + lane) * n;
  const std::int64_t first = (block.tile[0] * (cuda_sweep_threads >> s.lane_bits) + beside) * length;
  if (x >= line.extent * s.width || first >= along.extent) return;
  in += block.in + x * static_cast<std::int64_t>(sizeof(T));
  out += block.out + x * static_cast<std::int64_t>(sizeof(T));
  T total[length][n];
  const std::int64_t begin = first - along.below;
  const bool is_inside = begin >= 0 && begin + s.n_points + length - 1 <= along.extent;
  const auto load = [&](T* values, int j) {
    const std::int64_t row = is_inside ? begin + j : index_of(along, begin + j);
    if (row >= 0) {
      load_vector(values, in + row * along.in);
    } else {
#pragma unroll
      for (int v = 0; v < n; ++v) values[v] = row == detail::at_low_face ? along.low_value : along.high_value;
    }
  };
  const auto add = [&](int i, int k, const T* values) {
#pragma unroll
    for (int v = 0; v < n; ++v) add_weighted(total[i][v], s.points[k].coefficient, values[v], k == 0);
  };
  const auto add_some = [&](int j) {  // at either end, to those that it serves
    T values[n];
    load(values, j);
#pragma unroll
    for (int i = 0; i < length; ++i)
      if (j - i >= 0 && j - i < s.n_points) add(i, j - i, values);
  };
#pragma unroll
  for (int j = 0; j < length; ++j) add_some(j);
#pragma unroll 8
  for (int j = length; j < s.n_points; ++j) {
    T values[n];
    load(values, j);
#pragma unroll
    for (int i = 0; i < length; ++i) {
#pragma unroll
      for (int v = 0; v < n; ++v) total[i][v] = sum(total[i][v], product(s.points[j - i].coefficient, values[v]));
    }
  }
  for (int j = s.n_points > length ? s.n_points : length; j < s.n_points + length - 1; ++j) add_some(j);
#pragma unroll
  for (int i = 0; i < length; ++i)
    if (first + i < along.extent) store_vector(total[i], out + (first + i) * along.out);
}

/// A vector of a line, of elements around it.
template <class T, bool is_inside>
__device__ inline void make_vector(const CudaStage<T>& s, const CudaSweepAxis<T>& line, std::int64_t x, const std::byte* in,
                                   std::byte* out) {
  constexpr int n = n_vector<T>;
  const int before = (line.below + n - 1) / n, behind = (line.above + n - 1) / n;
  T total[n];
  const auto load = [&](T* values, int q) {
    if constexpr (is_inside) {
      load_vector(values, in + (x + q * n) * static_cast<std::int64_t>(sizeof(T)));
    } else {
#pragma unroll
      for (int v = 0; v < n; ++v) values[v] = Sides<T, 1>::element({in, -1, T{0}}, line, x + q * n + v);
    }
  };
  // Elements that are d behind those they serve, beside q vectors.
  const auto add_some = [&](int q) {
    T values[n];
    load(values, q);
#pragma unroll
    for (int d = 1 - n; d < n; ++d) {
      const int k = q * n + d + line.below;
      if (k < 0 || k >= s.n_points) continue;
#pragma unroll
      for (int v = 0; v < n; ++v)
        if (v + d >= 0 && v + d < n) add_weighted(total[v], s.points[k].coefficient, values[v + d], k == 0);
    }
  };
  int q = -before;
  for (; q <= behind && q * n + 1 - n + line.below <= 0; ++q) add_some(q);
#pragma unroll 4
  for (; q <= behind && q * n + n - 1 + line.below < s.n_points; ++q) {
    T values[n];
    load(values, q);
#pragma unroll
    for (int d = 1 - n; d < n; ++d) {
      const T coefficient = s.points[q * n + d + line.below].coefficient;
#pragma unroll
      for (int v = 0; v < n; ++v)
        if (v + d >= 0 && v + d < n) total[v] = sum(total[v], product(coefficient, values[v + d]));
    }
  }
  for (; q <= behind; ++q) add_some(q);
  store_vector(total, out + x * static_cast<std::int64_t>(sizeof(T)));
}

/// The axis is the line. A thread makes a vector in each of a few rows.
template <class T>
__global__ void __launch_bounds__(cuda_sweep_threads)
    weights_along_lines(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>;
  __shared__ MarchBlock block;
  if (threadIdx.x == 0) find_march_block(s, 2, static_cast<std::uint64_t>(first_block) + blockIdx.x, block);
  __syncthreads();
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &along = s.axes[s.n_axes - 2];
  const int lane = static_cast<int>(threadIdx.x) & ((1 << s.lane_bits) - 1), beside = static_cast<int>(threadIdx.x) >> s.lane_bits;
  const std::int64_t x = ((block.tile[2] << s.lane_bits) + lane) * n;
  const std::int64_t first = (block.tile[0] * (cuda_sweep_threads >> s.lane_bits) + beside) * s.march;
  const std::int64_t last = first + s.march < along.extent ? first + s.march : along.extent;
  if (x >= line.extent) return;
  in += block.in;
  out += block.out;
  const std::int64_t before = (line.below + n - 1) / n * n, behind = (line.above + n - 1) / n * n;
  if (x >= before && x + n + behind <= line.extent) {
    for (std::int64_t row = first; row < last; ++row) make_vector<T, true>(s, line, x, in + row * along.in, out + row * along.out);
  } else {
    for (std::int64_t row = first; row < last; ++row) make_vector<T, false>(s, line, x, in + row * along.in, out + row * along.out);
  }
}

}  // namespace crinkle::kernel
