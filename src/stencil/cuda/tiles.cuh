// A block makes the cells of one tile. Those whose points are all inside the array, a box, are made row by row without a test, a thread
// making four elements of a line so that one address serves four loads; neighbours come from the caches. All others of the tile are counted
// through and shared among the threads, which ask for every point where it lies. Products and sums are rounded one by one in the order of
// the points: the bits of the CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/form.hpp"

namespace crinkle::kernel {

__device__ inline float product(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double product(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float sum(float a, float b) { return __fadd_rn(a, b); }
__device__ inline double sum(double a, double b) { return __dadd_rn(a, b); }

/// The place of a block's tile. Boxes are of z, y and the line's elements; the inner one has no point outside the array.
struct BlockTile {
  std::int64_t index[most_cuda_axes];  // of the other axes
  std::int64_t low[3], high[3], inner_low[3], inner_high[3];
  std::int64_t in, out;  // bytes of the other axes
};

template <class T>
__device__ inline bool is_inside(const CudaSweepAxis<T>& axis, std::int64_t i) {
  return i >= axis.below && i < axis.extent - axis.above;
}

__device__ inline std::int64_t between(std::int64_t x, std::int64_t low, std::int64_t high) { return x < low ? low : x > high ? high : x; }

template <class T>
__device__ void find_tile(const CudaStage<T>& s, std::uint64_t block, BlockTile& tile) {
  const int n_outer = s.n_axes - 3;
  const int shape[3] = {1 << s.deep_bits, 1 << s.row_bits, s.line_tile};
  for (int a = 2; a >= 0; --a) {
    const auto count = static_cast<std::uint64_t>(s.counts[a]);
    const std::uint64_t rest = block / count;
    const CudaSweepAxis<T>& axis = s.axes[n_outer + a];
    const std::int64_t elements = a == 2 ? s.width : 1, n = axis.extent * elements;
    tile.low[a] = static_cast<std::int64_t>(block - rest * count) * shape[a];
    tile.high[a] = tile.low[a] + shape[a] < n ? tile.low[a] + shape[a] : n;
    tile.inner_low[a] = between(axis.below * elements, tile.low[a], tile.high[a]);
    tile.inner_high[a] = between((axis.extent - axis.above) * elements, tile.inner_low[a], tile.high[a]);
    block = rest;
  }
  bool has_inner = s.is_direct;
  tile.in = tile.out = 0;
  for (int a = n_outer - 1; a >= 0; --a) {
    const auto count = static_cast<std::uint64_t>(s.axes[a].extent);
    const std::uint64_t rest = block / count;
    const auto i = static_cast<std::int64_t>(block - rest * count);
    tile.index[a] = i;
    tile.in += i * s.axes[a].in;
    tile.out += i * s.axes[a].out;
    has_inner = has_inner && is_inside(s.axes[a], i);
    block = rest;
  }
  if (!has_inner) tile.inner_low[0] = tile.inner_high[0] = tile.low[0];
}

template <class T>
__device__ inline T element_at(const std::byte* at, bool is_aligned) {
  if (is_aligned) return __ldg(reinterpret_cast<const T*>(at));
  T x;
  for (unsigned b = 0; b < sizeof(T); ++b) reinterpret_cast<std::byte*>(&x)[b] = at[b];
  return x;
}

/// One list's points, in the launch or in memory.
template <class T, bool are_here>
__device__ inline CudaPoint<T> point(const CudaStage<T>& s, int k) {
  if constexpr (are_here) return s.points[k];
  else return {__ldg(&s.far_points[k].delta), __ldg(&s.far_points[k].coefficient)};
}

/// The place of cell i of an axis, or the constant that stands for it.
template <class T>
struct Found {
  std::int64_t bytes = 0;
  int constant_axis = -1;
  T value = 0;

  __device__ void add(const CudaSweepAxis<T>& axis, std::int64_t i) {
    if (i < 0 || i >= axis.extent) i = detail::bounded(axis.low, axis.high, i, axis.extent);
    if (i >= 0) {
      bytes += i * axis.in;
    } else if (axis.array_axis > constant_axis) {
      constant_axis = axis.array_axis;
      value = i == detail::at_low_face ? axis.low_value : axis.high_value;
    }
  }
};

/// Any element of the array. `in` is where the array's begin, `index` of the axes outside the tile.
template <class T, bool are_here>
__device__ void make_anywhere(const CudaStage<T>& s, const BlockTile& tile, std::int64_t z, std::int64_t y, std::int64_t e,
                              const std::byte* in, std::byte* out) {
  const int n = s.n_axes, n_outer = n - 3;
  const std::int64_t x = s.width == 1 ? e : e / s.width, channel = e - x * s.width;
  const std::int64_t last[3] = {z, y, x};
  bool inside = true;
  for (int a = 0; a < n_outer; ++a) inside = inside && is_inside(s.axes[a], tile.index[a]);
  std::int64_t from = tile.in + channel * s.in_element, to = tile.out + channel * s.out_element;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    inside = inside && is_inside(s.axes[n_outer + a], last[a]);
    from += last[a] * s.axes[n_outer + a].in;
    to += last[a] * s.axes[n_outer + a].out;
  }
  T total = 0;
  for (int k = 0; k < s.n_points; ++k) {
    const CudaPoint<T> p = point<T, are_here>(s, k);
    T value;
    if (inside) {
      value = element_at<T>(in + from + p.delta, s.is_aligned);
    } else {
      const std::int32_t* offset = s.offsets + static_cast<std::int64_t>(k) * n;
      Found<T> found;
      for (int a = 0; a < n_outer; ++a) found.add(s.axes[a], tile.index[a] + __ldg(offset + a));
#pragma unroll
      for (int a = 0; a < 3; ++a) found.add(s.axes[n_outer + a], last[a] + __ldg(offset + n_outer + a));
      value = found.constant_axis >= 0 ? found.value : element_at<T>(in + found.bytes + channel * s.in_element, s.is_aligned);
    }
    const T term = product(p.coefficient, value);
    total = k == 0 ? term : sum(total, term);
  }
  if (s.is_aligned) *reinterpret_cast<T*>(out + to) = total;
  else
    for (unsigned b = 0; b < sizeof(T); ++b) out[to + b] = reinterpret_cast<const std::byte*>(&total)[b];
}

/// The inner box, row by row.
template <class T, bool are_here>
__device__ void make_inner(const CudaStage<T>& s, const BlockTile& tile, const std::byte* in, std::byte* out) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread & ((1 << s.lane_bits) - 1);
  const int n_rows = 1 << (s.row_bits + s.deep_bits), row_step = cuda_sweep_threads >> s.lane_bits;
  const CudaSweepAxis<T>&z_axis = s.axes[s.n_axes - 3], &y_axis = s.axes[s.n_axes - 2];
  const std::int64_t first = tile.low[2] + (lane & 31) + (lane >> 5) * (32 * cuda_elements);
  bool is_made[cuda_elements];
#pragma unroll
  for (int v = 0; v < cuda_elements; ++v) is_made[v] = first + 32 * v >= tile.inner_low[2] && first + 32 * v < tile.inner_high[2];
  in += tile.in + first * static_cast<std::int64_t>(sizeof(T));
  out += tile.out + first * static_cast<std::int64_t>(sizeof(T));
  for (int row = thread >> s.lane_bits; row < n_rows; row += row_step) {
    const std::int64_t z = tile.low[0] + (row >> s.row_bits), y = tile.low[1] + (row & ((1 << s.row_bits) - 1));
    if (z < tile.inner_low[0] || z >= tile.inner_high[0] || y < tile.inner_low[1] || y >= tile.inner_high[1]) continue;
    const std::byte* const from = in + z * z_axis.in + y * y_axis.in;
    T total[cuda_elements];
    const auto term = [&](int v, const T* at, T coefficient) {
      const T value = is_made[v] ? __ldg(at + 32 * v) : T{0};
      return product(coefficient, value);
    };
    const CudaPoint<T> p0 = point<T, are_here>(s, 0);
#pragma unroll
    for (int v = 0; v < cuda_elements; ++v) total[v] = term(v, reinterpret_cast<const T*>(from + p0.delta), p0.coefficient);
#pragma unroll 4
    for (int k = 1; k < s.n_points; ++k) {
      const CudaPoint<T> p = point<T, are_here>(s, k);
      const T* const at = reinterpret_cast<const T*>(from + p.delta);
#pragma unroll
      for (int v = 0; v < cuda_elements; ++v) total[v] = sum(total[v], term(v, at, p.coefficient));
    }
    T* const to = reinterpret_cast<T*>(out + z * z_axis.out + y * y_axis.out);
#pragma unroll
    for (int v = 0; v < cuda_elements; ++v)
      if (is_made[v]) to[32 * v] = total[v];
  }
}

/// Makes what the inner box leaves of the tile: slabs at both ends of every axis, within the inner box along the axes before it.
template <class T, bool are_here>
__device__ void make_slabs(const CudaStage<T>& s, const BlockTile& tile, const std::byte* in, std::byte* out) {
  for (int slab = 0; slab < 6; ++slab) {
    const int along = slab / 2;
    std::int64_t low[3];
    unsigned n[3];
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      const bool is_there = a == along, is_high = slab % 2 == 1;
      low[a] = is_there ? (is_high ? tile.inner_high[a] : tile.low[a]) : a < along ? tile.inner_low[a] : tile.low[a];
      const std::int64_t high = is_there ? (is_high ? tile.high[a] : tile.inner_low[a]) : a < along ? tile.inner_high[a] : tile.high[a];
      n[a] = static_cast<unsigned>(high - low[a]);
    }
    const unsigned n_all = n[0] * n[1] * n[2];
    for (unsigned i = threadIdx.x; i < n_all; i += cuda_sweep_threads) {
      const unsigned row = i / n[2], e = i - row * n[2], z = row / n[1], y = row - z * n[1];
      make_anywhere<T, are_here>(s, tile, low[0] + z, low[1] + y, low[2] + e, in, out);
    }
  }
}

template <class T, bool are_here>
__global__ void __launch_bounds__(cuda_sweep_threads)
    sweep_tiles(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  __shared__ BlockTile tile;
  if (threadIdx.x == 0) find_tile(s, static_cast<std::uint64_t>(first_block) + blockIdx.x, tile);
  __syncthreads();
  make_inner<T, are_here>(s, tile, in, out);
  make_slabs<T, are_here>(s, tile, in, out);
}

}  // namespace crinkle::kernel
