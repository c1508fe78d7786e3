// Stars of one axis, of four and more, and of others that are not neighbours; short rows of weights along the line. A thread makes a vector
// of 16 bytes, of a star one in each of `star_length` cells that follow each other along its slowest axis: what these share is asked for
// once, and where a neighbour along another axis lies is found once for all of them. Every point but those along the line is a vector of
// another row. With axes as short as those of such arrays most tiles touch a face: here faces cost only the threads beside them. The order
// of products and sums is the list's. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/march.cuh"

namespace crinkle::kernel {

/// Most counts fit 32 bits, whose division takes a quarter of the time.
__device__ inline std::uint64_t quotient(std::uint64_t n, std::uint64_t by) {
  return (n | by) >> 32 == 0 ? static_cast<std::uint32_t>(n) / static_cast<std::uint32_t>(by) : n / by;
}

/// A thread's vector, and the indices of its row: [1] is that of the axis before the line, and so on. Along axis `along`, if there, it is
/// the first of `length` cells.
struct StarPlace {
  std::int64_t x = 0, index[most_star_axes] = {};
  bool is_there = true;

  template <class T>
  __device__ StarPlace(const CudaStage<T>& s, std::int64_t first_block, int along, int length) {
    constexpr int n = n_vector<T>;
    std::uint64_t rest = (static_cast<std::uint64_t>(first_block) + blockIdx.x) * cuda_sweep_threads + threadIdx.x;
    const auto next_of = [&](std::int64_t count) {
      const std::uint64_t above = quotient(rest, static_cast<std::uint64_t>(count));
      const auto i = static_cast<std::int64_t>(rest - above * static_cast<std::uint64_t>(count));
      rest = above;
      return i;
    };
    x = next_of(s.axes[s.n_axes - 1].extent / n) * n;
#pragma unroll
    for (int k = 1; k < most_star_axes; ++k) {  // from the line on
      const int a = s.n_axes - 1 - k;
      if (a < 0) break;
      index[k] = a == along ? next_of((s.axes[a].extent - 1) / length + 1) * length : next_of(s.axes[a].extent);
    }
    is_there = rest == 0;
  }
};

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

/// A row of weights along the line, in its order.
template <class T, int radius>
__global__ void __launch_bounds__(cuda_sweep_threads)
    short_row(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>;
  const CudaSweepAxis<T>& line = s.axes[s.n_axes - 1];
  const StarPlace at(s, first_block, -1, 1);
  if (!at.is_there) return;
#pragma unroll
  for (int k = 1; k < most_star_axes; ++k) {
    const int a = s.n_axes - 1 - k;
    if (a < 0) break;
    in += at.index[k] * s.axes[a].in;
    out += at.index[k] * s.axes[a].out;
  }
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

/// s.along is the slowest axis that the points reach along, the line left out; or any, if they reach along the line alone.
template <class T, int radius>
__global__ void __launch_bounds__(cuda_sweep_threads)
    star_of_axes(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>, length = star_length(radius);
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &along = s.axes[s.along];
  const StarPlace at(s, first_block, s.along, length);
  if (!at.is_there) return;
  std::int64_t first = 0;
  const std::byte* beside = in;  // the row at index 0 of the axis along which they follow each other
#pragma unroll
  for (int k = 1; k < most_star_axes; ++k) {
    const int a = s.n_axes - 1 - k;
    if (a < 0) break;
    out += at.index[k] * s.axes[a].out;
    if (a == s.along) first = at.index[k];
    else beside += at.index[k] * s.axes[a].in;
  }
  out += at.x * static_cast<std::int64_t>(sizeof(T));
  const int n_there = along.extent - first < length ? static_cast<int>(along.extent - first) : length;
  // Cells that are not there are made of the last one's neighbours, and not stored.
  const auto offset_of = [&](int i) { return (first + (i < n_there ? i : n_there - 1)) * along.in; };

  T column[length + 2 * radius][n], total[length][n];
  const bool is_reached = along.below > 0;
#pragma unroll
  for (int j = 0; j < length + 2 * radius; ++j) {  // behind those that are there some row, which nothing takes
    const int there = j < n_there + 2 * radius ? j : n_there + 2 * radius - 1;
    if (is_reached) load_own(column[j], row_of(along, first + there - radius, beside), at.x);
    else if (j >= radius && j < length + radius) load_own(column[j], Row<T>{beside + offset_of(j - radius)}, at.x);
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
#pragma unroll
  for (int k = most_star_axes - 1; k > 0; --k) {  // the slowest axis first
    const int a = s.n_axes - 1 - k;
    if (a < 0 || a == s.along || s.axes[a].below == 0) continue;
    const CudaSweepAxis<T>& axis = s.axes[a];
    const std::byte* const begin = beside - at.index[k] * axis.in;
#pragma unroll
    for (int o = 1; o <= radius; ++o) {
      T values[2][length][n];
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        const Row<T> row = row_of(axis, at.index[k] + (side == 0 ? -o : o), begin);
#pragma unroll
        for (int i = 0; i < length; ++i) load_own(values[side][i], Row<T>{row.at + offset_of(i), row.constant_axis, row.value}, at.x);
      }
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        const T coefficient = s.points[++p].coefficient;
#pragma unroll
        for (int i = 0; i < length; ++i) add_term<T, n>(total[i], coefficient, values[side][i]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < length; ++i) {
    if (i >= n_there) break;
    const Row<T> here{beside + offset_of(i)};
    Sides<T, radius> sides;
    sides.load(here, at.x, line.extent);
    if (Sides<T, radius>::is_at_end(at.x, line.extent)) sides.mend(here, line, at.x);
#pragma unroll
    for (int o = 1; o <= radius; ++o) {
#pragma unroll
      for (int sign = -1; sign <= 1; sign += 2) {
        const T coefficient = s.points[p + 2 * o - (sign < 0 ? 1 : 0)].coefficient;
#pragma unroll
        for (int v = 0; v < n; ++v) total[i][v] = sum(total[i][v], product(coefficient, around(column[i + radius], sides, v + sign * o)));
      }
    }
    store_vector(total[i], out + i * along.out);
  }
}

}  // namespace crinkle::kernel
