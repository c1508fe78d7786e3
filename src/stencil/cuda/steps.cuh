// Several steps in one pass over memory, of stars and boxes of radius 1 along two axes. Rows of the array stream past a warp: when row j
// comes, step 1 makes row j − 1 of it, step 2 row j − 2 …, and the last step's row is stored. Three rows of every step are kept in
// registers. A warp is as wide as a tile along the line and hands neighbours from lane to lane. Cells too near to a tile's rim to be
// right after all steps are made by the next tile, too. Faces cost no rim: what lies beyond them follows from cells of the same step. Along
// a periodic axis tiles go on at the other end. The order of products and sums is the list's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/march.cuh"

namespace crinkle::kernel {

/// Fills in what lies beyond a face that is not periodic, from the two cells before it.
template <class T>
__device__ inline void copy_beyond(T* to, Bound bound, T constant, const T* nearest, const T* second, int count) {
#pragma unroll
  for (int v = 0; v < count; ++v) to[v] = bound == Bound::constant ? constant : bound == Bound::reflect ? second[v] : nearest[v];
}

/// The places of a warp's vectors along the line, and what is beyond its ends.
template <class T>
struct WarpLine {
  std::int64_t x;         // of this lane's vector, in the array where it is periodic
  bool is_there, is_own;  // lies in the array; is stored by this warp
  bool is_first, is_last;
  bool has_end;  // one of the lanes is the first or last of the line

  template <int steps>
  __device__ void find(const CudaSweepAxis<T>& line, std::int64_t tile) {
    constexpr int n = n_vector<T>, rim = (steps + n - 1) / n;
    const int lane = static_cast<int>(threadIdx.x) & 31;
    x = (tile * (32 - 2 * rim) + lane - rim) * n;
    is_own = lane >= rim && lane < 32 - rim && x < line.extent;
    is_there = x >= 0 && x < line.extent;
    const bool is_periodic = line.low == Bound::periodic;
    if (is_periodic && !is_there) x = index_of(line, x);
    is_there = is_there || is_periodic;
    is_first = !is_periodic && x == 0;
    is_last = !is_periodic && x + n == line.extent;
    has_end = __any_sync(0xffffffffu, is_first || is_last) != 0;
  }

  /// The cells beside this lane's vector. `constant_axis`: of the row, where a constant stands for it.
  template <bool has_faces>
  __device__ Sides<T, 1> beside(const CudaSweepAxis<T>& line, const T* row, int constant_axis = -1) const {
    constexpr int n = n_vector<T>;
    Sides<T, 1> b{{__shfl_up_sync(0xffffffffu, row[n - 1], 1)}, {__shfl_down_sync(0xffffffffu, row[0], 1)}};
    if (has_faces && has_end) {
      if (is_first && !(line.low == Bound::constant && constant_axis > line.array_axis))
        copy_beyond(b.left, line.low, line.low_value, row, row + 1, 1);
      if (is_last && !(line.high == Bound::constant && constant_axis > line.array_axis))
        copy_beyond(b.right, line.high, line.high_value, row + n - 1, row + n - 2, 1);
      if (is_first && line.low == Bound::constant && constant_axis > line.array_axis) b.left[0] = row[0];
      if (is_last && line.high == Bound::constant && constant_axis > line.array_axis) b.right[0] = row[n - 1];
    }
    return b;
  }
};

/// The rows [first, last) of a warp's tile, after so many steps. has_faces: any face that is not periodic may be near.
template <class T, int steps, bool is_box, bool has_faces>
__device__ inline void make_tile(const CudaStage<T>& s, const WarpLine<T>& at, std::int64_t first, std::int64_t last, const std::byte* in,
                                 std::byte* out) {
  constexpr int n = n_vector<T>;
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &along = s.axes[s.n_axes - 2];
  const bool is_periodic = along.low == Bound::periodic;
  T kept[steps][3][n] = {};
  Sides<T, 1> sides[steps][3] = {};  // of boxes
  const std::int64_t begin = !has_faces || is_periodic || first > steps ? first - steps : 0, end = last + steps;
  T next[n] = {};
  const auto load = [&](std::int64_t j) {
    if constexpr (has_faces) {
      if (is_periodic) j = index_of(along, j);
      if (at.is_there && j < along.extent) load_vector(next, in + j * along.in);
    } else {
      load_vector(next, in + j * along.in);
    }
  };
  load(begin);
#pragma unroll 3
  for (std::int64_t j = begin; j < end; ++j) {
    T row[n];
#pragma unroll
    for (int v = 0; v < n; ++v) row[v] = next[v];
    load(j + 1 < end ? j + 1 : j);
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      T(&three)[3][n] = kept[step];
#pragma unroll
      for (int v = 0; v < n; ++v) {
        three[0][v] = three[1][v];
        three[1][v] = three[2][v];
        three[2][v] = row[v];
      }
      if constexpr (is_box) {
        sides[step][0] = sides[step][1];
        sides[step][1] = sides[step][2];
        sides[step][2] = at.template beside<has_faces>(line, row);
      }
      const std::int64_t y = j - step - 1;
      T above[n], below[n];
      Sides<T, 1> above_sides = sides[step][0], below_sides = sides[step][2];
#pragma unroll
      for (int v = 0; v < n; ++v) {
        above[v] = three[0][v];
        below[v] = three[2][v];
      }
      if (has_faces && !is_periodic && y == 0) {
        copy_beyond(above, along.low, along.low_value, three[1], three[2], n);
        if constexpr (is_box)
          above_sides = at.template beside<has_faces>(line, above, along.low == Bound::constant ? along.array_axis : -1);
      }
      if (has_faces && !is_periodic && y + 1 == along.extent) {
        copy_beyond(below, along.high, along.high_value, three[1], three[0], n);
        if constexpr (is_box)
          below_sides = at.template beside<has_faces>(line, below, along.high == Bound::constant ? along.array_axis : -1);
      }
      const Sides<T, 1> here = is_box ? sides[step][1] : at.template beside<has_faces>(line, three[1]);
#pragma unroll
      for (int v = 0; v < n; ++v) {
        T total;
        if constexpr (is_box) {
          int p = 0;
#pragma unroll
          for (int c = -1; c <= 1; ++c) {
            const T term = product(s.points[p++].coefficient, around(above, above_sides, v + c));
            total = c == -1 ? term : sum(total, term);
          }
#pragma unroll
          for (int c = -1; c <= 1; ++c) total = sum(total, product(s.points[p++].coefficient, around(three[1], here, v + c)));
#pragma unroll
          for (int c = -1; c <= 1; ++c) total = sum(total, product(s.points[p++].coefficient, around(below, below_sides, v + c)));
        } else {
          total = product(s.points[0].coefficient, three[1][v]);
          total = sum(total, product(s.points[1].coefficient, above[v]));
          total = sum(total, product(s.points[2].coefficient, below[v]));
          total = sum(total, product(s.points[3].coefficient, around(three[1], here, v - 1)));
          total = sum(total, product(s.points[4].coefficient, around(three[1], here, v + 1)));
        }
        row[v] = total;
      }
    }
    const std::int64_t y = j - steps;
    if (at.is_own && y >= first && y < last) store_vector(row, out + y * along.out);
  }
}

/// Two axes: a warp for a tile.
template <class T, int steps, bool is_box>
__global__ void __launch_bounds__(cuda_sweep_threads, is_box ? 2 : 3)
    march_steps(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n_warps = cuda_sweep_threads / 32;
  __shared__ MarchBlock block;
  if (threadIdx.x == 0) find_march_block(s, 2, static_cast<std::uint64_t>(first_block) + blockIdx.x, block);
  __syncthreads();
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &along = s.axes[s.n_axes - 2];
  const std::int64_t first = (block.tile[0] * n_warps + static_cast<int>(threadIdx.x >> 5)) * s.march;
  const std::int64_t last = first + s.march < along.extent ? first + s.march : along.extent;
  if (first >= last) return;  // the whole warp
  WarpLine<T> at;
  at.template find<steps>(line, block.tile[2]);
  in += block.in + at.x * static_cast<std::int64_t>(sizeof(T));
  out += block.out + at.x * static_cast<std::int64_t>(sizeof(T));
  const bool is_inside = !at.has_end && __all_sync(0xffffffffu, at.is_there) != 0 && first >= steps && last + steps < along.extent;
  if (is_inside) make_tile<T, steps, is_box, false>(s, at, first, last, in, out);
  else make_tile<T, steps, is_box, true>(s, at, first, last, in, out);
}

}  // namespace crinkle::kernel
