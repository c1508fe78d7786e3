// Wide stars of three axes: planes of the array stream past a block, and every thread keeps the vectors of its column that its cells still
// need, so memory is asked for every plane once. Neighbours along the line go from lane to lane; rows, a warp each, meet in shared memory.
// Cells beyond the faces are asked for like any others, at the places that stand for them, by the lanes and rows of a tile's rim: the loop
// knows no faces. (Of a star no point is outside along two axes.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda_march.cuh"

namespace crinkle::kernel {

/// A thread's vector in every row: where it lies, or what stands for it.
template <class T>
struct StarVector {
  static constexpr int n = n_vector<T>;
  const std::byte* at = nullptr;  // in row 0
  std::int32_t place[n];          // elements from there, of vectors at the ends of a line; below 0: a constant
  bool is_whole = true, is_constant = false;
  T low = 0, high = 0;

  __device__ void load(T* to, const CudaSweepAxis<T>& along, std::int64_t j) const {
    const std::int64_t inside = index_of(along, j);
    const std::byte* const row = at + inside * along.in;
    if (inside < 0 || is_constant) {
      const T value = inside < 0 ? (inside == detail::at_low_face ? along.low_value : along.high_value) : low;
#pragma unroll
      for (int v = 0; v < n; ++v) to[v] = value;
    } else if (is_whole) {
      load_vector(to, row);
    } else {
#pragma unroll
      for (int v = 0; v < n; ++v)
        to[v] = place[v] >= 0 ? __ldg(reinterpret_cast<const T*>(row) + place[v]) : place[v] == detail::at_low_face ? low : high;
    }
  }
};

template <class T, int radius>
__global__ void __launch_bounds__(32 * cuda_star_rows<radius>)
    march_star(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  constexpr int n = n_vector<T>, rim = (radius + n - 1) / n, tile_rows = cuda_star_rows<radius>;
  constexpr int n_kept = 2 * radius + 2;  // one more than is needed: it is asked for a turn before
  __shared__ int4 planes[2][tile_rows][32];
  __shared__ MarchBlock block;
  if (threadIdx.x == 0) find_march_block(s, 3, static_cast<std::uint64_t>(first_block) + blockIdx.x, block);
  __syncthreads();
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &rows = s.axes[s.n_axes - 2], &along = s.axes[s.n_axes - 3];
  const int warp = static_cast<int>(threadIdx.x >> 5), lane = static_cast<int>(threadIdx.x) & 31;
  const std::int64_t first = block.tile[0] * s.march, last = first + s.march < along.extent ? first + s.march : along.extent;
  const std::int64_t x = (block.tile[2] * (32 - 2 * rim) + lane - rim) * n, r = block.tile[1] * (tile_rows - 2 * radius) + warp - radius;
  const bool is_own = lane >= rim && lane < 32 - rim && x < line.extent;
  const bool is_own_row = warp >= radius && warp < tile_rows - radius && r < rows.extent;
  const std::int64_t row = index_of(rows, r);
  StarVector<T> vector;
  vector.at = in + block.in + row * rows.in;
  vector.is_constant = row < 0;
  vector.low = row == detail::at_low_face ? rows.low_value : rows.high_value;
  out += block.out + r * rows.out + x * static_cast<std::int64_t>(sizeof(T));
  if (x >= 0 && x < line.extent) {
    vector.at += x * static_cast<std::int64_t>(sizeof(T));
  } else if (!vector.is_constant) {
    vector.is_whole = false;
    vector.low = line.low_value;
    vector.high = line.high_value;
    const bool is_asked = x < line.extent + rim * n;
#pragma unroll
    for (int v = 0; v < n; ++v) vector.place[v] = is_asked ? static_cast<std::int32_t>(index_of(line, x + v)) : 0;
  }

  T kept[n_kept][n];
#pragma unroll
  for (int k = 0; k + 1 < n_kept; ++k) vector.load(kept[k], along, first - radius + k);
#pragma unroll n_kept
  for (std::int64_t m = first; m < last; ++m) {
    if (m + 1 < last) vector.load(kept[n_kept - 1], along, m + radius + 1);
    const T(&own)[n] = kept[radius];
    const int turn = static_cast<int>(m & 1);
    memcpy(&planes[turn][warp][lane], own, 16);
    __syncthreads();
    if (is_own_row) {
      T total[n];
      int p = 0;
#pragma unroll
      for (int v = 0; v < n; ++v) total[v] = product(s.points[0].coefficient, own[v]);
#pragma unroll
      for (int k = 1; k <= radius; ++k) {
        add_term<T, n>(total, s.points[++p].coefficient, kept[radius - k]);
        add_term<T, n>(total, s.points[++p].coefficient, kept[radius + k]);
      }
#pragma unroll
      for (int k = 1; k <= radius; ++k) {
        T near[n];
        memcpy(near, &planes[turn][warp - k][lane], 16);
        add_term<T, n>(total, s.points[++p].coefficient, near);
        memcpy(near, &planes[turn][warp + k][lane], 16);
        add_term<T, n>(total, s.points[++p].coefficient, near);
      }
      Sides<T, radius> sides;
#pragma unroll
      for (int k = 1; k <= radius; ++k) {
        constexpr unsigned all = 0xffffffffu;
        const int lanes = (k + n - 1) / n, element = lanes * n - k;
        sides.left[radius - k] = __shfl_up_sync(all, own[element], static_cast<unsigned>(lanes));
        sides.right[k - 1] = __shfl_down_sync(all, own[n - 1 - element], static_cast<unsigned>(lanes));
      }
#pragma unroll
      for (int k = 1; k <= radius; ++k) {
#pragma unroll
        for (int sign = -1; sign <= 1; sign += 2) {
          const T coefficient = s.points[++p].coefficient;
#pragma unroll
          for (int v = 0; v < n; ++v) total[v] = sum(total[v], product(coefficient, around(own, sides, v + sign * k)));
        }
      }
      if (is_own) store_vector(total, out + m * along.out);
    }
#pragma unroll
    for (int k = 0; k + 1 < n_kept; ++k) {
#pragma unroll
      for (int v = 0; v < n; ++v) kept[k][v] = kept[k + 1][v];
    }
  }
}

}  // namespace crinkle::kernel
