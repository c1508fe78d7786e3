// Distances of points of up to eight features: a lane keeps the points of its places in registers and goes from line to line; what it found
// out moves to the lane that writes it, so that a warp writes whole lines of the cache. What limits it is the writing.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pairs/cuda/distance_rule.cuh"
#include "tile/distance_tile.hpp"

namespace crinkle::kernel {

/// 16 bytes of a point's features, which come by one instruction.
template <class T>
union Vector16 {
  static constexpr int n = 16 / static_cast<int>(sizeof(T));
  T item[n];
  uint4 all;
};

/// A block's lines in shared memory.
template <class T, int width, bool has_norms>
struct Lines {
  static constexpr int n_vectors = width / Vector16<T>::n, n = tile::DistanceTile::n_lines;
  uint4 point[n_vectors][n];
  double inverse[has_norms ? n : 1];
  std::int64_t place[n];  // of first_along, in elements of the destination
  int2 part[n];           // what the line has, counted from first_along
};

template <class T, int n_vectors>
struct PointOf {
  Vector16<T> vector[n_vectors];
  __device__ T feature(int f) const { return vector[f / Vector16<T>::n].item[f % Vector16<T>::n]; }
};

/// Features of a point, zeros behind them: they add nothing to any sum. `is_aligned`: as many as there can be, at a multiple of 16 bytes.
template <class T, int n_vectors>
__device__ inline PointOf<T, n_vectors> load_point(const T* __restrict__ from, int n_features, bool is_aligned) {
  PointOf<T, n_vectors> p;
  if (is_aligned) {
#pragma unroll
    for (int v = 0; v < n_vectors; ++v) p.vector[v].all = reinterpret_cast<const uint4*>(from)[v];
  } else {
#pragma unroll
    for (int f = 0; f < n_vectors * Vector16<T>::n; ++f)
      p.vector[f / Vector16<T>::n].item[f % Vector16<T>::n] = f < n_features ? from[f] : T(0);
  }
  return p;
}

/// Lengths matter to no angle: a point of float64 is brought near 1, so that no square leaves the range.
template <int n_vectors>
__device__ inline void bring_near_one(PointOf<double, n_vectors>& p) {
  constexpr int n = n_vectors * Vector16<double>::n;
  const int exponent = exponent_of([&](std::int64_t f) { return p.feature(static_cast<int>(f)); }, n);
#pragma unroll
  for (int f = 0; f < n; ++f) {
    double& feature = p.vector[f / Vector16<double>::n].item[f % Vector16<double>::n];
    feature = scalbn(feature, -exponent);
  }
}

template <class T, int n_vectors>
__device__ inline double inverse_length(const PointOf<T, n_vectors>& p) {
  double sum = 0;
#pragma unroll
  for (int f = 0; f < n_vectors * Vector16<T>::n; ++f) sum = fma(static_cast<double>(p.feature(f)), static_cast<double>(p.feature(f)), sum);
  return 1 / sqrt(sum);
}

/// The same number, which a compiler takes for another one: it does not keep what was made of the first in registers.
__device__ inline float again(float v) {
  asm("" : "+f"(v));
  return v;
}
__device__ inline double again(double v) {
  asm("" : "+d"(v));
  return v;
}
/// The distance of two points, given the sum of squares, which is not plain.
template <int width, class T, int n_vectors>
__device__ inline T scaled_euclidean(const PointOf<T, n_vectors>& x, const PointOf<T, n_vectors>& y, T sum) {
  const Scale<T> scale(sum);
  sum = 0;
#pragma unroll
  for (int f = 0; f < width; ++f) {
    const T d = (x.feature(f) - again(y.feature(f))) * scale.there;
    sum = fma(d, d, sum);
  }
  return root(sum) * scale.back;
}

/// All lines of a block. If whole, every line has all of its stretch. Line l and along l + same are one point.
template <Metric metric, bool is_whole, class T, int width, class Lines>
__device__ inline void write_lines(const tile::DistanceTile& tile, const Lines& lines, int n_lines,
                                   const PointOf<T, Lines::n_vectors>* points, const double* inverse, std::int64_t same,
                                   T* __restrict__ out) {
  using Rule = DistanceRule<metric, T>;
  using Tile = tile::DistanceTile;
  constexpr unsigned all = 0xFFFFFFFFu;
  const int lane = static_cast<int>(threadIdx.x) % Tile::lanes, warp = static_cast<int>(threadIdx.x) / Tile::lanes;
#pragma unroll 1
  for (int l = 0; l < n_lines; ++l) {
    PointOf<T, Lines::n_vectors> line;
#pragma unroll
    for (int v = 0; v < Lines::n_vectors; ++v) line.vector[v].all = lines.point[v][l];
    const std::int64_t place = lines.place[l];
    const int shift = tile.shift_of(place), from = lane + Tile::lanes - shift;  // the lane, counted from the first vector's, that finds out
    T found[Tile::vectors + 1];
#pragma unroll
    for (int k = 0; k <= Tile::vectors; ++k) {
      typename Rule::Sum sum = 0;
#pragma unroll
      for (int f = 0; f < width; ++f) sum = Rule::add(sum, points[k].feature(f), line.feature(f));
      if constexpr (Rule::has_norms)
        found[k] =
            Rule::finish(sum, inverse[k], lines.inverse[l], tile.first_of(warp) + k * Tile::lanes + lane == tile.first_line + l + same);
      else found[k] = Rule::finish(sum);
      if constexpr (metric == Metric::euclidean) {
        if (!is_plain(sum)) found[k] = scaled_euclidean<width>(points[k], line, sum);
      }
      found[k] = __shfl_sync(all, found[k], from);
    }
    const int first = warp * Tile::side_warp + lane - shift;  // of what is written, counted from first_along
    T* const to = out + place + first;
    const int2 part = is_whole ? int2{} : lines.part[l];
#pragma unroll
    for (int k = 0; k < Tile::vectors; ++k) {
      const int at = first + k * Tile::lanes;
      if (is_whole || (at >= part.x && at < part.y)) to[k * Tile::lanes] = from < Tile::lanes ? found[k] : found[k + 1];
    }
  }
}

template <Metric metric, class T, int width>
__global__ void __launch_bounds__(tile::DistanceTile::threads)
    narrow_distances(const __grid_constant__ tile::DistanceTile launch, const T* __restrict__ line_points,
                     const T* __restrict__ along_points, T* __restrict__ out, std::int64_t n_alongs, int n_features, bool is_aligned,
                     std::int64_t same, std::int64_t first_block) {
  using Tile = tile::DistanceTile;
  constexpr bool has_norms = DistanceRule<metric, T>::has_norms;
  constexpr int n_vectors = width / Vector16<T>::n, far = 1 << 30;  // more than any stretch
  __shared__ Lines<T, width, has_norms> lines;

  Tile tile = launch;
  tile.begin_block(first_block + blockIdx.x);
  const int n_lines = static_cast<int>(tile.last_line - tile.first_line), t = static_cast<int>(threadIdx.x);
  if (n_lines <= 0) return;
  if (t < n_lines) {
    const std::int64_t line = tile.first_line + t;
    auto point = load_point<T, n_vectors>(line_points + line * n_features, n_features, is_aligned);
    if constexpr (has_norms && sizeof(T) == 8) bring_near_one(point);
#pragma unroll
    for (int v = 0; v < n_vectors; ++v) lines.point[v][t] = point.vector[v].all;
    if constexpr (has_norms) lines.inverse[t] = inverse_length(point);
    lines.place[t] = tile.lines.start(line) + tile.first_along;
    const std::int64_t begin = tile.begin_of(line) - tile.first_along, end = tile.end_of(line) - tile.first_along;
    lines.part[t] = {static_cast<int>(begin < -far  ? -far
                                      : begin < far ? begin
                                                    : far),
                     static_cast<int>(end < -far  ? -far
                                      : end < far ? end
                                                  : far)};
  }
  PointOf<T, n_vectors> mine[Tile::vectors + 1];
  double inverse[Tile::vectors + 1];
#pragma unroll
  for (int k = 0; k <= Tile::vectors; ++k) {
    const std::int64_t along = tile.first_of(t / Tile::lanes) + k * Tile::lanes + t % Tile::lanes;
    const std::int64_t there = along < 0 ? 0 : along < n_alongs ? along : n_alongs - 1;
    mine[k] = load_point<T, n_vectors>(along_points + there * n_features, n_features, is_aligned);
    if constexpr (has_norms && sizeof(T) == 8) bring_near_one(mine[k]);
    if constexpr (has_norms) inverse[k] = inverse_length(mine[k]);
  }
  __syncthreads();
  if (tile.is_whole()) write_lines<metric, true, T, width>(tile, lines, n_lines, mine, inverse, same, out);
  else write_lines<metric, false, T, width>(tile, lines, n_lines, mine, inverse, same, out);
}

}  // namespace crinkle::kernel
