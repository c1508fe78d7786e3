// Stars and boxes of three axes: planes of the array stream through shared memory, asked for a few turns before they are needed, so memory
// is asked for every plane once. A thread makes vectors of one or two rows. In a star it keeps the columns that its cells still need; in a
// box, whose points come plane by plane, the sums that are not whole yet. Cells beyond the faces are asked for at the places that stand for
// them, or are constants: the sums know no faces. The order of products and sums is the list's: the bits of the CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/march.cuh"

namespace crinkle::kernel {

template <int bytes>
__device__ inline void copy_async(void* to, const std::byte* from) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(bytes) : "memory");
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n_left>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(n_left) : "memory");
}

/// A block's part of a plane, with a rim, in vectors of 16 bytes.
template <class T, int radius, bool is_box>
struct StreamPlane : StreamTile {
  static constexpr StreamTile tile = stream_tile(radius, is_box);
  static constexpr int n = n_vector<T>, rim = (radius + n - 1) / n, lanes = 32 + 2 * rim, all_rows = tile.rows + 2 * radius;
  static constexpr int size = all_rows * lanes, threads = 32 * tile.rows / tile.per_thread;
  static constexpr int n_planes = tile.ahead + 1 + (is_box ? 0 : radius);
  static constexpr int per_thread = (size + threads - 1) / threads;  // vectors that a thread asks for
  static constexpr int shared_bytes = n_planes * size * 16;
};

/// Asks for planes.
template <class T, int radius, bool is_box>
struct StreamSource {
  using P = StreamPlane<T, radius, is_box>;
  static constexpr int n = P::n;
  using Places = std::int32_t[P::lanes][n];  // elements of a row, below 0 a constant

  const CudaSweepAxis<T>&along, &rows, &line;
  const std::byte* from[P::per_thread];
  int to[P::per_thread];    // in a plane; below 0: nothing
  std::uint32_t kinds = 0;  // three bits a vector: whether it is beyond an end of the line; 2 or 4: in a row that is a constant

  __device__ StreamSource(const CudaStage<T>& s, const std::byte* in, std::int64_t r0, std::int64_t x0)
      : along(s.axes[s.n_axes - 3]), rows(s.axes[s.n_axes - 2]), line(s.axes[s.n_axes - 1]) {
    constexpr int whole = P::all_rows * 32;  // first all but the rim of the lines, whose vectors are for warps of their own
#pragma unroll
    for (int c = 0; c < P::per_thread; ++c) {
      const int k = static_cast<int>(threadIdx.x) + c * P::threads, side = (k - whole) % (2 * P::rim);
      const int row = k < whole ? k / 32 : (k - whole) / (2 * P::rim);
      const int lane = k < whole ? P::rim + k % 32 : side < P::rim ? side : 32 + side;
      const std::int64_t r = r0 + row, x = x0 + lane * n;
      const bool is_asked = k < P::size && r < rows.extent + radius && x < line.extent + P::rim * n, is_outside = x < 0 || x >= line.extent;
      const std::int64_t there = is_asked ? index_of(rows, r) : 0;
      to[c] = is_asked ? row * P::lanes + lane : -1;
      from[c] = in + (there < 0 ? 0 : there * rows.in) + (is_outside ? 0 : x * static_cast<std::int64_t>(sizeof(T)));
      const std::uint32_t kind = (is_outside ? 1u : 0u) | (there >= 0 ? 0u : there == detail::at_low_face ? 2u : 4u);
      if (is_asked) kinds |= kind << (3 * c);
    }
    __syncthreads();
  }
  __device__ static void find_places(const CudaSweepAxis<T>& line, std::int64_t x0, Places& places) {
    if (threadIdx.x >= P::lanes) return;
    const std::int64_t x = x0 + static_cast<int>(threadIdx.x) * n;
    for (int v = 0; v < n; ++v)
      places[threadIdx.x][v] = x + v < line.extent + radius ? static_cast<std::int32_t>(index_of(line, x + v)) : 0;
  }

  __device__ void ask(std::int64_t j, int4* plane, const Places& places) const {
    const std::int64_t inside = index_of(along, j), offset = inside * along.in;
#pragma unroll
    for (int c = 0; c < P::per_thread; ++c) {
      if (to[c] < 0) continue;
      const std::uint32_t kind = kinds >> (3 * c) & 7u;
      if (kind == 0 && inside >= 0) copy_async<16>(plane + to[c], from[c] + offset);
      else ask_beyond(inside, offset, c, kind, plane, places);
    }
  }
  // If several constants meet, that of the last axis of the array counts.
  __device__ void ask_beyond(std::int64_t inside, std::int64_t offset, int c, std::uint32_t kind, int4* plane, const Places& places) const {
    T* const cells = reinterpret_cast<T*>(plane + to[c]);
    int axis = -1;
    T constant = 0;
    if (inside < 0) {
      axis = along.array_axis;
      constant = inside == detail::at_low_face ? along.low_value : along.high_value;
    }
    if (kind > 1 && rows.array_axis > axis) {
      axis = rows.array_axis;
      constant = kind < 4 ? rows.low_value : rows.high_value;
    }
    const std::int32_t* const place = places[to[c] % P::lanes];
#pragma unroll
    for (int v = 0; v < n; ++v) {
      const std::int32_t there = (kind & 1u) != 0 ? place[v] : v;
      if (there < 0 && line.array_axis > axis) cells[v] = there == detail::at_low_face ? line.low_value : line.high_value;
      else if (axis >= 0) cells[v] = constant;
      else copy_async<sizeof(T)>(cells + v, from[c] + offset + there * static_cast<std::int64_t>(sizeof(T)));
    }
  }
};

/// Vectors of a row of a plane around a lane's.
template <class T, int rim>
__device__ inline void load_beside(T* beside, const int4* own) {
  memcpy(beside, own - rim, 16 * (2 * rim + 1));
}

template <class T, int radius>
struct StarSums {
  static constexpr int n = n_vector<T>, n_rows = stream_tile(radius, false).per_thread,
                       behind = radius;  // planes that are kept in shared memory
  T kept[n_rows][2 * radius + 1][n] = {};

  /// `newest` and `middle` are the thread's place in the planes `radius` turns ahead and of its cells; emit(q, total) gets row q's.
  template <class P, class Emit>
  __device__ void turn(const CudaStage<T>& s, const int4* newest, const int4* middle, bool is_whole, const Emit& emit) {
#pragma unroll
    for (int q = 0; q < n_rows; ++q) memcpy(kept[q][2 * radius], newest + q * P::lanes, 16);
    if (is_whole) {
#pragma unroll
      for (int q = 0; q < n_rows; ++q) make<P>(s, middle, q, emit);
    }
#pragma unroll
    for (int q = 0; q < n_rows; ++q) {
#pragma unroll
      for (int k = 0; k < 2 * radius; ++k) memcpy(kept[q][k], kept[q][k + 1], 16);
    }
  }
  template <class P, class Emit>
  __device__ void make(const CudaStage<T>& s, const int4* middle, int q, const Emit& emit) const {
    const T(&own)[n] = kept[q][radius];
    T total[n], beside[(2 * P::rim + 1) * n];
    int p = 0;
#pragma unroll
    for (int v = 0; v < n; ++v) total[v] = product(s.points[0].coefficient, own[v]);
#pragma unroll
    for (int k = 1; k <= radius; ++k) {
      add_term<T, n>(total, s.points[++p].coefficient, kept[q][radius - k]);
      add_term<T, n>(total, s.points[++p].coefficient, kept[q][radius + k]);
    }
#pragma unroll
    for (int k = 1; k <= radius; ++k) {
#pragma unroll
      for (int sign = -1; sign <= 1; sign += 2) {
        const int other = q + sign * k;
        T near[n];
        if (other >= 0 && other < n_rows) memcpy(near, kept[other >= 0 && other < n_rows ? other : 0][radius], 16);
        else memcpy(near, middle + other * P::lanes, 16);
        add_term<T, n>(total, s.points[++p].coefficient, near);
      }
    }
    load_beside<T, P::rim>(beside, middle + q * P::lanes);
#pragma unroll
    for (int k = 1; k <= radius; ++k) {
#pragma unroll
      for (int sign = -1; sign <= 1; sign += 2) add_term<T, n>(total, s.points[++p].coefficient, beside + P::rim * n + sign * k);
    }
    emit(q, total);
  }
};

template <class T, int radius>
struct BoxSums {
  static constexpr int n = n_vector<T>, n_rows = stream_tile(radius, true).per_thread, width = 2 * radius + 1, behind = 0;
  T total[n_rows][width][n] = {};  // of the cells of the planes `radius` turns before to `radius` after the newest

  template <class P, class Emit>
  __device__ void turn(const CudaStage<T>& s, const int4* newest, const int4* /*middle*/, bool is_whole, const Emit& emit) {
#pragma unroll
    for (int j = -radius; j < n_rows + radius; ++j) {
      T beside[(2 * P::rim + 1) * n];
      load_beside<T, P::rim>(beside, newest + j * P::lanes);
#pragma unroll
      for (int q = 0; q < n_rows; ++q) {
        const int b = j - q + radius;
        if (b < 0 || b >= width) continue;
#pragma unroll
        for (int a = 0; a < width; ++a) {
          T* const sums = total[q][2 * radius - a];  // whose a-th plane this is
#pragma unroll
          for (int c = 0; c < width; ++c) {
            const T coefficient = s.points[(a * width + b) * width + c].coefficient;
            const T* const values = beside + P::rim * n + c - radius;
#pragma unroll
            for (int v = 0; v < n; ++v)
              sums[v] = a + b + c == 0 ? product(coefficient, values[v]) : sum(sums[v], product(coefficient, values[v]));
          }
        }
      }
    }
#pragma unroll
    for (int q = 0; q < n_rows; ++q) {
      if (is_whole) emit(q, total[q][0]);
#pragma unroll
      for (int a = 0; a + 1 < width; ++a) memcpy(total[q][a], total[q][a + 1], 16);
    }
  }
};

template <class T, int radius, bool is_box>
__global__ void __launch_bounds__(StreamPlane<T, radius, is_box>::threads, stream_tile(radius, is_box).blocks)
    stream(const __grid_constant__ CudaStage<T> s, std::int64_t first_block, const std::byte* in, std::byte* out) {
  using P = StreamPlane<T, radius, is_box>;
  using Source = StreamSource<T, radius, is_box>;
  using Sums = std::conditional_t<is_box, BoxSums<T, radius>, StarSums<T, radius>>;
  constexpr int ahead = P::tile.ahead, n_rows = P::tile.per_thread;
  extern __shared__ int4 planes[];  // [P::n_planes][P::all_rows][P::lanes]
  __shared__ MarchBlock block;
  __shared__ typename Source::Places places;
  const CudaSweepAxis<T>&line = s.axes[s.n_axes - 1], &rows = s.axes[s.n_axes - 2], &along = s.axes[s.n_axes - 3];
  if (threadIdx.x == 0) find_march_block(s, 3, static_cast<std::uint64_t>(first_block) + blockIdx.x, block);
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x >> 5), lane = static_cast<int>(threadIdx.x) & 31;
  const std::int64_t first = block.tile[0] * s.march, last = first + s.march < along.extent ? first + s.march : along.extent;
  const std::int64_t r0 = block.tile[1] * P::tile.rows - radius, x0 = (block.tile[2] * 32 - P::rim) * P::n;
  Source::find_places(line, x0, places);
  const Source source(s, in + block.in, r0, x0);

  const int own = (radius + warp * n_rows) * P::lanes + P::rim + lane;
  const std::int64_t r = r0 + radius + warp * n_rows, x = x0 + (P::rim + lane) * P::n;
  out += block.out + r * rows.out + x * static_cast<std::int64_t>(sizeof(T));
  // Turn j brings plane j, of which that of the cells is `radius` turns behind, and asks for the one `ahead` turns later.
  const std::int64_t begin = first - radius, end = last + radius;
#pragma unroll
  for (int k = 0; k < ahead; ++k) {
    if (begin + k < end) source.ask(begin + k, planes + k * P::size, places);
    commit_copies();
  }
  int newest = 0, asked = ahead, middle = P::n_planes - Sums::behind;
  Sums sums;
  for (std::int64_t j = begin; j < end; ++j) {
    wait_for_copies<ahead - 1>();
    __syncthreads();
    if (j + ahead < end) source.ask(j + ahead, planes + asked * P::size, places);
    commit_copies();
    const std::int64_t m = j - radius;
    sums.template turn<P>(s, planes + newest * P::size + own, planes + middle * P::size + own, m >= first, [&](int q, const T* total) {
      if (x < line.extent && r + q < rows.extent) store_vector(total, out + m * along.out + q * rows.out);
    });
    newest = newest + 1 == P::n_planes ? 0 : newest + 1;
    asked = asked + 1 == P::n_planes ? 0 : asked + 1;
    middle = middle + 1 == P::n_planes ? 0 : middle + 1;
  }
}

}  // namespace crinkle::kernel
