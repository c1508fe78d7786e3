// Stars and boxes whose points are known when the kernel is compiled. A thread makes columns of a few vectors of 16 bytes along one axis:
// all that a column needs is asked for before the first product, and what its cells share is asked for once. Neighbouring threads' rows
// come from the caches. Beyond the faces a row is another row or a constant, and the threads at the ends of a line ask element by element.
// The order of products and sums is the list's: the bits of the CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/tiles.cuh"

namespace crinkle::kernel {

/// Sixteen bytes of a line.
template <class T>
inline constexpr int n_vector = 16 / sizeof(T);

template <class T>
__device__ inline void load_vector(T* to, const std::byte* from) {
  const int4 raw = __ldg(reinterpret_cast<const int4*>(from));
  memcpy(to, &raw, 16);
}
template <class T>
__device__ inline void store_vector(const T* from, std::byte* to) {
  int4 raw;
  memcpy(&raw, from, 16);
  *reinterpret_cast<int4*>(to) = raw;
}

/// A row of the array, or a constant in its place.
template <class T>
struct Row {
  const std::byte* at = nullptr;  // its first element
  int constant_axis = -1;
  T value = 0;
};

/// The index inside an axis that an index outside leads to; seldom called, so once in the code.
__device__ __noinline__ inline std::int64_t far_index(Bound low, Bound high, std::int64_t i, std::int64_t extent) {
  return detail::bounded(low, high, i, extent);
}
template <class T>
__device__ inline std::int64_t index_of(const CudaSweepAxis<T>& axis, std::int64_t i) {
  return i >= 0 && i < axis.extent ? i : far_index(axis.low, axis.high, i, axis.extent);
}

/// The vector of a row that begins at element x.
template <class T>
__device__ inline void load_own(T* own, const Row<T>& row, std::int64_t x) {
  if (row.constant_axis < 0) {
    load_vector(own, row.at + x * static_cast<std::int64_t>(sizeof(T)));
  } else {
#pragma unroll
    for (int v = 0; v < n_vector<T>; ++v) own[v] = row.value;
  }
}

/// Elements on either side of a vector; at the ends of the line first whatever lies in the row, then mended.
template <class T, int side>
struct Sides {
  static constexpr int n = n_vector<T>, reach = (side + n - 1) / n * n;
  T left[side], right[side];

  __device__ static bool is_at_end(std::int64_t x, std::int64_t extent) { return x < reach || x + n + reach > extent; }
  __device__ void load(const Row<T>& row, std::int64_t x, std::int64_t extent) {
    T beside[reach];
    const std::int64_t before = x < reach ? 0 : x - reach, behind = x + n + reach > extent ? extent - reach : x + n;
    if (row.constant_axis < 0) {
#pragma unroll
      for (int v = 0; v < reach; v += n) load_vector(beside + v, row.at + (before + v) * static_cast<std::int64_t>(sizeof(T)));
#pragma unroll
      for (int v = 0; v < side; ++v) left[v] = beside[reach - side + v];
#pragma unroll
      for (int v = 0; v < reach; v += n) load_vector(beside + v, row.at + (behind + v) * static_cast<std::int64_t>(sizeof(T)));
#pragma unroll
      for (int v = 0; v < side; ++v) right[v] = beside[v];
    } else {
#pragma unroll
      for (int v = 0; v < side; ++v) left[v] = right[v] = row.value;
    }
  }
  __device__ static T element(const Row<T>& row, const CudaSweepAxis<T>& line, std::int64_t i) {
    const std::int64_t inside = index_of(line, i);
    if (inside >= 0) return row.constant_axis >= 0 ? row.value : __ldg(reinterpret_cast<const T*>(row.at) + inside);
    return row.constant_axis > line.array_axis ? row.value : inside == detail::at_low_face ? line.low_value : line.high_value;
  }
  __device__ void mend(const Row<T>& row, const CudaSweepAxis<T>& line, std::int64_t x) {
#pragma unroll
    for (int v = 0; v < side; ++v) left[v] = element(row, line, x - side + v);
#pragma unroll
    for (int v = 0; v < side; ++v) right[v] = element(row, line, x + n + v);
  }
};

/// Element i of a vector and what is beside it.
template <class T, int side>
__device__ inline T around(const T* own, const Sides<T, side>& sides, int i) {
  constexpr int n = n_vector<T>;
  return i < 0 ? sides.left[side + i] : i >= n ? sides.right[i - n] : own[i];
}

/// Which points: a star or a box of these radii along the marching axis, the rows of a block, and the line.
template <int march_, int rows_, int line_, bool is_box_>
struct Points {
  static constexpr int march = march_, rows = rows_, line = line_;
  static constexpr bool is_box = is_box_, has_rows = rows_ > 0;
  /// On a multiprocessor at least: more of them wait for memory better, until registers are too few.
  static constexpr int blocks = march > 2 ? 2 : 3;
};

/// The place at which a block's threads begin.
struct MarchBlock {
  std::int64_t index[most_cuda_axes];  // of the axes outside
  std::int64_t tile[3];                // along the marching axis, the rows and the line
  std::int64_t in, out;
};

template <class T>
__device__ void find_march_block(const CudaStage<T>& s, int n_tiled, std::uint64_t block, MarchBlock& at) {
  for (int a = 2; a >= 0; --a) {
    const auto count = static_cast<std::uint64_t>(s.counts[a]);
    const std::uint64_t rest = block / count;
    at.tile[a] = static_cast<std::int64_t>(block - rest * count);
    block = rest;
  }
  at.in = at.out = 0;
  for (int a = s.n_axes - n_tiled - 1; a >= 0; --a) {
    const auto count = static_cast<std::uint64_t>(s.axes[a].extent);
    const std::uint64_t rest = block / count;
    const auto i = static_cast<std::int64_t>(block - rest * count);
    at.index[a] = i;
    at.in += i * s.axes[a].in;
    at.out += i * s.axes[a].out;
    block = rest;
  }
}

template <class T, int n>
__device__ inline void add_term(T* total, T coefficient, const T* values) {
#pragma unroll
  for (int v = 0; v < n; ++v) total[v] = sum(total[v], product(coefficient, values[v]));
}

/// A thread's cells: `length` vectors of a column, one behind the other along the marching axis, made from what was asked for at once.
template <class T, class P, bool is_inside, int length, class RowOf>
__device__ inline void make_column(const CudaStage<T>& s, std::int64_t first, std::int64_t end, std::int64_t x, const RowOf& row_of,
                                   std::byte* out) {
  static_assert(!P::is_box || !P::has_rows);
  constexpr int n = n_vector<T>, n_tiled = P::has_rows ? 3 : 2, reach = P::is_box ? P::march : 0;
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &along = s.axes[s.n_axes - n_tiled];
  T column[length + 2 * P::march][n];
  Sides<T, P::line> sides[length + 2 * reach];  // of a star only where its cells are
#pragma unroll
  for (int k = 0; k < length + 2 * P::march; ++k) load_own(column[k], row_of(first + k - P::march, 0), x);
#pragma unroll
  for (int k = 0; k < length + 2 * reach; ++k) sides[k].load(row_of(first + k - reach, 0), x, line.extent);
  if (Sides<T, P::line>::is_at_end(x, line.extent)) {
#pragma unroll
    for (int k = 0; k < length + 2 * reach; ++k) sides[k].mend(row_of(first + k - reach, 0), line, x);
  }
#pragma unroll
  for (int i = 0; i < length; ++i) {
    const std::int64_t m = first + i;
    if (!is_inside && m >= end) break;
    T total[n];
    int p = 0;
    if constexpr (P::is_box) {
#pragma unroll
      for (int a = 0; a <= 2 * P::march; ++a) {
#pragma unroll
        for (int c = -P::line; c <= P::line; ++c) {
          const T coefficient = s.points[p++].coefficient;
#pragma unroll
          for (int v = 0; v < n; ++v) {
            const T term = product(coefficient, around(column[i + a], sides[i + a], v + c));
            total[v] = p == 1 ? term : sum(total[v], term);
          }
        }
      }
    } else {
      const T* const own = column[i + P::march];
      T near[2 * P::rows + 1][n];
#pragma unroll
      for (int k = -P::rows; k <= P::rows; ++k)
        if (k != 0) load_own(near[k + P::rows], row_of(m, k), x);
#pragma unroll
      for (int v = 0; v < n; ++v) total[v] = product(s.points[0].coefficient, own[v]);
#pragma unroll
      for (int k = 1; k <= P::march; ++k) {
        add_term<T, n>(total, s.points[++p].coefficient, column[i + P::march - k]);
        add_term<T, n>(total, s.points[++p].coefficient, column[i + P::march + k]);
      }
#pragma unroll
      for (int k = 1; k <= P::rows; ++k) {
        add_term<T, n>(total, s.points[++p].coefficient, near[P::rows - k]);
        add_term<T, n>(total, s.points[++p].coefficient, near[P::rows + k]);
      }
#pragma unroll
      for (int k = 1; k <= P::line; ++k) {
#pragma unroll
        for (int sign = -1; sign <= 1; sign += 2) {
          const T coefficient = s.points[++p].coefficient;
#pragma unroll
          for (int v = 0; v < n; ++v) total[v] = sum(total[v], product(coefficient, around(own, sides[i], v + sign * k)));
        }
      }
    }
    store_vector(total, out + m * along.out);
  }
}

template <class T, class P>
__global__ void __launch_bounds__(cuda_sweep_threads, P::blocks)
    march(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>, n_tiled = P::has_rows ? 3 : 2, length = 4;
  __shared__ MarchBlock block;
  if (threadIdx.x == 0) find_march_block(s, n_tiled, static_cast<std::uint64_t>(first_block) + blockIdx.x, block);
  __syncthreads();
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &rows = s.axes[s.n_axes - 2], &along = s.axes[s.n_axes - n_tiled];
  const int thread = static_cast<int>(threadIdx.x), lane = thread & ((1 << s.lane_bits) - 1), beside = thread >> s.lane_bits;
  const std::int64_t x = ((block.tile[2] << s.lane_bits) + lane) * n;
  constexpr int row_bits_all = 8;
  static_assert(1 << row_bits_all == cuda_sweep_threads);
  const int row_bits = row_bits_all - s.lane_bits;
  const std::int64_t r = P::has_rows ? (block.tile[1] << row_bits) + beside : 0;
  const std::int64_t chunk = P::has_rows ? block.tile[0] : (block.tile[0] << row_bits) + beside;
  const std::int64_t first = chunk * s.march, last = first + s.march < along.extent ? first + s.march : along.extent;
  if (x >= line.extent * s.width || first >= last || (P::has_rows && r >= rows.extent)) return;
  in += block.in;
  out += block.out + x * static_cast<std::int64_t>(sizeof(T));
  if constexpr (P::has_rows) out += r * rows.out;

  const std::byte* const own = in + (P::has_rows ? r * rows.in : 0);
  const auto row_inside = [&](std::int64_t m, int k) {
    Row<T> row{own + m * along.in};
    if constexpr (P::has_rows) row.at += k * rows.in;
    return row;
  };
  const auto row_anywhere = [&](std::int64_t m, int k) {
    const std::int64_t inside = index_of(along, m);
    Row<T> row{in + inside * along.in};
    if (inside < 0) {
      row.constant_axis = along.array_axis;
      row.value = inside == detail::at_low_face ? along.low_value : along.high_value;
    }
    if constexpr (P::has_rows) {
      const std::int64_t there = index_of(rows, r + k);
      row.at += there * rows.in;
      if (there < 0 && rows.array_axis > row.constant_axis) {
        row.constant_axis = rows.array_axis;
        row.value = there == detail::at_low_face ? rows.low_value : rows.high_value;
      }
    }
    return row;
  };
  const bool are_rows_inside = !P::has_rows || (r >= P::rows && r + P::rows < rows.extent);
  for (std::int64_t m = first; m < last; m += length) {
    if (are_rows_inside && m >= P::march && m + length + P::march <= along.extent && m + length <= last)
      make_column<T, P, true, length>(s, m, last, x, row_inside, out);
    else make_column<T, P, false, length>(s, m, last, x, row_anywhere, out);
  }
}

}  // namespace crinkle::kernel
