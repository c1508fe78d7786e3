// Stars of one axis, of four and more, and of others that are not neighbours; short rows of weights along the line. A thread makes a vector
// of 16 bytes, of a star on lines of other lengths of 8 bytes or an element, one in each of `star_length` cells that follow each other
// along its slowest axis: what these share is asked for once, and where a neighbour along another axis lies is found once for all of them.
// Every point but those along the line is a vector of another row. With axes as short as those of such arrays most tiles touch a face: here
// faces cost only the threads beside them. The order of products and sums is the list's. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/march.cuh"

namespace crinkle::kernel {

/// Most counts fit 32 bits, whose division takes a quarter of the time.
__device__ inline std::uint64_t quotient(std::uint64_t n, std::uint64_t by) {
  return (n | by) >> 32 == 0 ? static_cast<std::uint32_t>(n) / static_cast<std::uint32_t>(by) : n / by;
}

/// A thread's vector of n elements, and the indices of its row, which go into `index` [axis]: apart, since arrays with an index that is
/// known at run time are memory, and what lies in a struct with them. Along axis `along`, if there, it is the first of `length` cells.
/// Neighbouring threads make a tile of 2^row_bits by 2^deep_bits rows, which share neighbours in the first cache; the next tile lies along
/// the axis before those two. Loops over axes stay loops, here and below: unrolled, they fill the cache of instructions.
template <int n>
struct StarPlace {
  std::int64_t x = 0, first = 0, in = 0, out = 0;  // first: along `along`; in, out: bytes, `in` without those along it, and without x
  bool is_there = true;

  template <class T>
  __device__ StarPlace(const CudaStage<T>& s, std::int64_t first_block, int along, int length, std::int64_t* index) {
    std::uint64_t rest = (static_cast<std::uint64_t>(first_block) + blockIdx.x) * cuda_sweep_threads + threadIdx.x;
    const auto next_of = [&](std::int64_t count) {
      const std::uint64_t above = quotient(rest, static_cast<std::uint64_t>(count));
      const auto i = static_cast<std::int64_t>(rest - above * static_cast<std::uint64_t>(count));
      rest = above;
      return i;
    };
    const auto next_of_tile = [&](int bits) {
      const auto i = static_cast<std::int64_t>(rest & ((1u << bits) - 1));
      rest >>= bits;
      return i;
    };
    x = next_of(s.axes[s.n_axes - 1].extent / n) * n;
    const std::int64_t row = next_of_tile(s.row_bits), deep = next_of_tile(s.deep_bits);
#pragma unroll 1
    for (int turn = 1; turn < most_star_axes; ++turn) {
      const int k = turn > 3 ? turn : turn == 1 ? 3 : turn - 1, a = s.n_axes - 1 - k;  // k: from the line on
      if (a < 0) continue;
      const CudaSweepAxis<T>& axis = s.axes[a];
      const int bits = k == 1 ? s.row_bits : k == 2 ? s.deep_bits : 0;
      const std::int64_t i = a == along ? next_of((axis.extent - 1) / length + 1) * length
                                        : (next_of(((axis.extent - 1) >> bits) + 1) << bits) + (k == 1   ? row
                                                                                                : k == 2 ? deep
                                                                                                         : 0);
      is_there = is_there && i < axis.extent;
      index[a] = i;
      out += i * axis.out;
      if (a == along) first = i;
      else in += i * axis.in;
    }
    is_there = is_there && rest == 0;
  }
};

/// n elements that lie at a multiple of their bytes.
template <int n, class T>
__device__ inline void load_elements(T* to, const std::byte* from) {
  if constexpr (n * sizeof(T) == 16) {
    load_vector(to, from);
  } else if constexpr (n * sizeof(T) == 8) {
    const double raw = __ldg(reinterpret_cast<const double*>(from));
    memcpy(to, &raw, 8);
  } else {
    static_assert(n == 1);
    to[0] = __ldg(reinterpret_cast<const T*>(from));
  }
}
template <int n, class T>
__device__ inline void store_elements(const T* from, std::byte* to) {
  if constexpr (n * sizeof(T) == 16) {
    store_vector(from, to);
  } else if constexpr (n * sizeof(T) == 8) {
    double raw;
    memcpy(&raw, from, 8);
    *reinterpret_cast<double*>(to) = raw;
  } else {
    static_assert(n == 1);
    *reinterpret_cast<T*>(to) = from[0];
  }
}

/// The elements beside `count` vectors of rows that are `step` bytes apart, `n_there` of them there as in load_rows: to[i][v] is of vector
/// i, v in [0, side) before it, [side, 2 · side) behind it. Where they lie is found once for all rows.
template <int n, int side, int count, class T>
__device__ inline void load_beside(T (*to)[2 * side], const CudaSweepAxis<T>& line, std::int64_t x, const std::byte* row, int n_there,
                                   std::int64_t step) {
#pragma unroll
  for (int v = 0; v < 2 * side; ++v) {
    const std::int64_t inside = index_of(line, v < side ? x - side + v : x + n + v - side);
    if (inside >= 0) {
      const std::byte* from = row + inside * static_cast<std::int64_t>(sizeof(T));
#pragma unroll
      for (int i = 0; i < count; ++i) {
        to[i][v] = __ldg(reinterpret_cast<const T*>(from));
        if (i + 1 < n_there) from += step;
      }
    } else {
#pragma unroll
      for (int i = 0; i < count; ++i) to[i][v] = inside == detail::at_low_face ? line.low_value : line.high_value;
    }
  }
}

/// The row at an index of an axis, or the constant that stands for it. `in` is where index 0 lies.
template <class T>
__device__ inline Row<T> row_of(const CudaSweepAxis<T>& axis, std::int64_t i, const std::byte* in) {
  const std::int64_t inside = index_of(axis, i);
  Row<T> row{in + inside * axis.in};
  if (inside < 0) {
    row.constant_axis = axis.array_axis;
    row.value = inside == detail::at_low_face ? axis.low_value : axis.high_value;
  }
  return row;
}

/// A row's vector and those `step` bytes on, of which `n_there` are there: the last of them stands for the rest.
template <int n, int count, class T>
__device__ inline void load_rows(T (*to)[n], const Row<T>& row, int n_there, std::int64_t step) {
  if (row.constant_axis < 0) {
    const std::byte* from = row.at;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      load_elements<n>(to[i], from);
      if (i + 1 < n_there) from += step;
    }
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) {
#pragma unroll
      for (int v = 0; v < n; ++v) to[i][v] = row.value;
    }
  }
}

/// A row of weights along the line, in its order.
template <class T, int radius>
__global__ void __launch_bounds__(cuda_sweep_threads)
    short_row(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>;
  const CudaSweepAxis<T>& line = s.axes[s.n_axes - 1];
  std::int64_t index[most_star_axes];
  const StarPlace<n> at(s, first_block, -1, 1, index);
  if (!at.is_there) return;
  in += at.in;
  out += at.out;
  const Row<T> here{in};
  T own[n], total[n];
  Sides<T, radius> sides;
  load_own(own, here, at.x);
  sides.load(here, at.x, line.extent);
  if (Sides<T, radius>::is_at_end(at.x, line.extent)) sides.mend(here, line, at.x);
#pragma unroll
  for (int v = 0; v < n; ++v) {
    total[v] = product(s.points[0].coefficient, around(own, sides, v - radius));
#pragma unroll
    for (int k = 1; k <= 2 * radius; ++k) total[v] = sum(total[v], product(s.points[k].coefficient, around(own, sides, v + k - radius)));
  }
  store_vector(total, out + at.x * static_cast<std::int64_t>(sizeof(T)));
}

/// s.along is the slowest axis that the points reach along, the line left out; or any, if they reach along the line alone. n elements:
/// s.vector bytes. With three blocks on a multiprocessor some registers spill, with two there are too few warps.
template <class T, int radius, int n>
__global__ void __launch_bounds__(cuda_sweep_threads, 3)
    star_of_axes(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int length = star_length(radius, n * sizeof(T));
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &along = s.axes[s.along];
  std::int64_t index[most_star_axes];
  const StarPlace<n> at(s, first_block, s.along, length, index);
  if (!at.is_there) return;
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t first = at.first;
  const std::byte* const own = in + at.in + first * along.in + at.x * size;
  out += at.out + at.x * size;
  const int n_there = along.extent - first < length ? static_cast<int>(along.extent - first) : length;
  // Cells that are not there are made of the last one's neighbours, and not stored.

  T column[length + 2 * radius][n], total[length][n];
  const bool is_reached = along.below > 0;
  if (!is_reached || (first >= radius && first + length + radius <= along.extent)) {
    load_rows<n, length>(column + radius, Row<T>{own}, n_there, along.in);
#pragma unroll
    for (int j = 0; j < radius; ++j) {
      if (!is_reached) break;
      load_elements<n>(column[j], own + (j - radius) * along.in);
      load_elements<n>(column[j + length + radius], own + (j + length) * along.in);
    }
  } else {
#pragma unroll
    for (int j = 0; j < length + 2 * radius; ++j) {  // behind those that are there some row, which nothing takes
      const int there = j < n_there + 2 * radius ? j : n_there + 2 * radius - 1;
      load_rows<n, 1>(&column[j], row_of(along, first + there - radius, own - first * along.in), 1, 0);
    }
  }
  int p = 0;
#pragma unroll
  for (int i = 0; i < length; ++i) {
#pragma unroll
    for (int v = 0; v < n; ++v) total[i][v] = product(s.points[0].coefficient, column[i + radius][v]);
  }
  if (is_reached) {
#pragma unroll
    for (int o = 1; o <= radius; ++o) {
#pragma unroll
      for (int sign = -1; sign <= 1; sign += 2) {
        const T coefficient = s.points[++p].coefficient;
#pragma unroll
        for (int i = 0; i < length; ++i) add_term<T, n>(total[i], coefficient, column[i + radius + sign * o]);
      }
    }
  }
#pragma unroll 1
  for (int a = 0; a + 1 < s.n_axes; ++a) {
    const CudaSweepAxis<T>& axis = s.axes[a];
    if (a == s.along || axis.below == 0) continue;
    const std::int64_t own_index = index[a];
    const std::byte* const begin = own - own_index * axis.in;
#pragma unroll
    for (int o = 1; o <= radius; ++o) {
      T values[2][length][n];
#pragma unroll
      for (int side = 0; side < 2; ++side)
        load_rows<n, length>(values[side], row_of(axis, own_index + (side == 0 ? -o : o), begin), n_there, along.in);
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        const T coefficient = s.points[++p].coefficient;
#pragma unroll
        for (int i = 0; i < length; ++i) add_term<T, n>(total[i], coefficient, values[side][i]);
      }
    }
  }
  T beside[length][2 * radius];
  load_beside<n, radius, length>(beside, line, at.x, own - at.x * size, n_there, along.in);
#pragma unroll
  for (int i = 0; i < length; ++i) {
    if (i >= n_there) break;
    T made[n];
#pragma unroll
    for (int v = 0; v < n; ++v) made[v] = total[i][v];
#pragma unroll
    for (int o = 1; o <= radius; ++o) {
#pragma unroll
      for (int sign = -1; sign <= 1; sign += 2) {
        const T coefficient = s.points[p + 2 * o - (sign < 0 ? 1 : 0)].coefficient;
#pragma unroll
        for (int v = 0; v < n; ++v) {
          const int from = v + sign * o;
          const T value = from < 0 ? beside[i][radius + from] : from < n ? column[i + radius][from] : beside[i][radius + from - n];
          made[v] = sum(made[v], product(coefficient, value));
        }
      }
    }
    store_elements<n>(made, out + i * along.out);
  }
}

}  // namespace crinkle::kernel
