// The kernel of sweeps that stay in shared memory. Around its cells a block keeps a rim of all that their points reach, so that a step
// knows no faces: products and sums are rounded one by one in the order of the list, the bits of the CPU. After a step the rim is copied
// anew, from the block's own cells and from what its neighbours have written; where these lie is found once, and constants are filled in
// once. What a neighbour writes bears the number of its step, which says that it is there. A block is never more than a step ahead of its
// neighbours, so two arrays in turn are enough for what they write.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "stencil/cuda/resident.hpp"
#include "stencil/cuda/tiles.cuh"

namespace crinkle::kernel {

#ifdef __CUDACC__  // a host that walks through the kernel has functions of its own (tests/kernels/neighbours.hpp)
/// A word that another block reads, and one that another block writes: always whole.
__device__ inline void write_word(std::uint64_t* to, std::uint64_t word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}
__device__ inline std::uint64_t read_word(const std::uint64_t* from) {
  std::uint64_t word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
__device__ inline char* shared_of_block(char* all) { return all; }
#endif

/// A cell on its way to another block, four bytes a word beside the number of the step.
template <class T>
__device__ inline void send(std::uint64_t* to, T value, std::uint32_t step) {
  std::uint32_t parts[sizeof(T) / 4];
  memcpy(parts, &value, sizeof(T));
  for (unsigned p = 0; p < sizeof(T) / 4; ++p) write_word(to + p, std::uint64_t{step} << 32 | parts[p]);
}
/// Waits until it is there.
template <class T>
__device__ inline T received(const std::uint64_t* from, std::uint32_t step) {
  std::uint32_t parts[sizeof(T) / 4];
  for (unsigned p = 0; p < sizeof(T) / 4; ++p) {
    std::uint64_t word;
    do word = read_word(from + p);
    while (word >> 32 != step);
    parts[p] = static_cast<std::uint32_t>(word);
  }
  T value;
  memcpy(&value, parts, sizeof(T));
  return value;
}

/// A block's rows, and where they lie in shared memory. A cell is counted among those that the block keeps, a place among the kept cells of
/// the whole array, without the rim of its first axis. `known_points` are those of the list, or 0.
template <class T, int n_threads, int known_points>
struct ResidentRows {
  const ResidentSweep<T>& s;
  std::int32_t first, n, extents[3], strides[3];
  std::int32_t begin, length;  // of the cells from the first own one to the last, with the rim's that lie between
  std::int32_t shift;          // from a cell to its place

  __device__ explicit ResidentRows(const ResidentSweep<T>& sweep) : s(sweep) {
    first = static_cast<std::int32_t>(s.axes[0].extent * blockIdx.x / static_cast<std::uint32_t>(s.n_blocks));
    n = static_cast<std::int32_t>(s.axes[0].extent * (blockIdx.x + 1) / static_cast<std::uint32_t>(s.n_blocks)) - first;
    begin = length = 0;
    for (int a = 2; a >= 0; --a) {
      extents[a] = a == 0 ? n : static_cast<std::int32_t>(s.axes[a].extent);
      strides[a] = a == 2 ? 1 : strides[a + 1] * s.kept(a + 1);
      begin += s.axes[a].below * strides[a];
      length += (extents[a] - 1) * strides[a] + (a == 2 ? 1 : 0);
    }
    shift = (first - s.axes[0].below) * strides[0];
  }
  __device__ static std::int32_t thread() { return static_cast<std::int32_t>(threadIdx.x); }
  /// Where a cell lies, or the one that is so far behind the first own cell.
  __device__ void split(std::int32_t cell, std::int32_t (&index)[3]) const {
    for (int a = 0; a < 3; cell -= index[a] * strides[a], ++a) index[a] = cell / strides[a];
  }

  /// Fills all kept cells, of both arrays where they stay constant, and lists what else the rim has.
  __device__ void fill(T* cells, const std::byte* in, std::int32_t* n_rim, RimCell* rim) const {
    const std::int32_t n_cells = (n + s.axes[0].below + s.axes[0].above) * strides[0];
    for (std::int32_t cell = thread(); cell < n_cells; cell += n_threads) {
      std::int32_t index[3], place = 0, constant_axis = -1;
      std::int64_t from = 0;
      T value = 0;
      bool is_own = true;
      split(cell, index);
      for (int a = 0; a < 3; ++a) {
        const CudaSweepAxis<T>& axis = s.axes[a];
        std::int64_t i = index[a] - axis.below;
        is_own = is_own && i >= 0 && i < extents[a];
        i = detail::bounded(axis.low, axis.high, a == 0 ? first + i : i, axis.extent);
        if (i < 0 && axis.array_axis > constant_axis) {
          constant_axis = axis.array_axis;
          value = i == detail::at_low_face ? axis.low_value : axis.high_value;
        }
        place += static_cast<std::int32_t>(a == 0 ? i : i + axis.below) * strides[a];
        from += i * axis.in;
      }
      const bool is_constant = constant_axis >= 0;
      cells[cell] = is_constant ? value : __ldcg(reinterpret_cast<const T*>(in + from));  // which may be the destination
      if (is_constant) cells[s.n_kept() + cell] = value;
      if (is_own || is_constant) continue;
      const bool is_near = place >= first * strides[0] && place < (first + n) * strides[0];
      rim[atomicAdd(n_rim, 1)] = {cell, is_near ? place - shift : ~place};
    }
  }
  /// Of the cells that a thread makes, one bit each: those that are no rim's; of them those that neighbours read.
  struct Cells {
    std::uint32_t own = 0, sent = 0;
    __device__ void leave(int count) {
      own >>= count;
      sent >>= count;
    }
  };
  __device__ Cells cells() const {
    Cells made;
    std::uint32_t bit = 1;
    for (std::int32_t c = thread(); c < length; c += n_threads, bit <<= 1) {
      std::int32_t index[3];
      split(c, index);
      if (index[1] >= extents[1] || index[2] >= extents[2]) continue;
      made.own |= bit;
      if (s.n_blocks > 1 && (index[0] < s.axes[0].above || index[0] >= n - s.axes[0].below)) made.sent |= bit;
    }
    return made;
  }
  template <int count, class Send>
  __device__ void make(const T* now, T* next, std::int32_t c, Cells made, const Send& send_cell) const {
    T totals[count];
#pragma unroll
    for (int v = 0; v < count; ++v) totals[v] = product(s.coefficients[0], now[c + s.deltas[0] + v * n_threads]);
    [[maybe_unused]] constexpr int at_once = known_points > 0 ? known_points : 4;
#pragma unroll at_once
    for (int k = 1; k < (known_points > 0 ? known_points : s.n_points); ++k) {
      const T* const from = now + c + s.deltas[k];
      const T coefficient = s.coefficients[k];
#pragma unroll
      for (int v = 0; v < count; ++v) totals[v] = sum(totals[v], product(coefficient, from[v * n_threads]));
    }
#pragma unroll
    for (int v = 0; v < count; ++v)
      if (made.own >> v & 1) next[c + v * n_threads] = totals[v];
    if (made.sent << (32 - count) == 0) return;
#pragma unroll
    for (int v = 0; v < count; ++v)
      if (made.sent >> v & 1) send_cell(c + v * n_threads, totals[v]);
  }
  /// Cells are counted from the first own one. All up to the last are made, several at once; sums of the rim's are dropped.
  template <class Send>
  __device__ void step(const T* now, T* next, Cells made, const Send& send_cell) const {
    std::int32_t c = thread();
    for (; c + 3 * n_threads < length; c += 4 * n_threads, made.leave(4)) make<4>(now, next, c, made, send_cell);
    if (c + n_threads < length) {
      make<2>(now, next, c, made, send_cell);
      c += 2 * n_threads;
      made.leave(2);
    }
    if (c < length) make<1>(now, next, c, made, send_cell);
  }
};

template <class T, int n_threads, int known_points>
__global__ void __launch_bounds__(n_threads) resident(const __grid_constant__ ResidentSweep<T> s, const std::byte* in, std::byte* out,
                                                      std::uint64_t* exchange_0, std::uint64_t* exchange_1) {
  extern __shared__ __align__(16) char shared[];
  T* const all = reinterpret_cast<T*>(shared_of_block(shared));
  const auto n_kept = static_cast<std::int32_t>(s.n_kept());
  auto* const n_listed = reinterpret_cast<std::int32_t*>(all + 2 * n_kept);
  auto* const rim = reinterpret_cast<RimCell*>(n_listed + 2);
  const ResidentRows<T, n_threads, known_points> rows(s);
  if (threadIdx.x == 0) *n_listed = 0;
  __syncthreads();
  rows.fill(all, in, n_listed, rim);
  __syncthreads();
  const std::int32_t n_rim = *n_listed;
  auto cells = rows.cells();
  for (std::int64_t step = 0; step < s.steps; ++step) {
    constexpr int words = sizeof(T) / 4;
    const auto made = static_cast<std::uint32_t>(step + 1);
    T* const next = all + made % 2 * n_kept;
    std::uint64_t* const exchange = step % 2 == 0 ? exchange_0 : exchange_1;
    if (step > 0) __syncthreads();
    rows.step(all + step % 2 * n_kept + rows.begin, next + rows.begin, cells,
              [&](std::int32_t c, T total) { send(exchange + words * (rows.begin + c + rows.shift), total, made); });
    if (step + 1 == s.steps) break;
    __syncthreads();
    for (std::int32_t r = rows.thread(); r < n_rim; r += n_threads) {
      const RimCell cell = rim[r];
      next[cell.to] = cell.from >= 0 ? next[cell.from] : received<T>(exchange + words * ~cell.from, made);
    }
  }
  const T* const last = all + s.steps % 2 * n_kept + rows.begin;
  for (std::int32_t c = rows.thread(); c < rows.length; c += n_threads, cells.leave(1)) {  // what this thread made
    std::int32_t i[3];
    rows.split(c, i);
    if (cells.own & 1)
      *reinterpret_cast<T*>(out + (rows.first + i[0]) * s.axes[0].out + i[1] * s.axes[1].out + i[2] * s.axes[2].out) = last[c];
  }
}
/// Frequent lists' coefficients and places are operands of instructions.
template <class T, int n_threads>
auto resident_of_points(int n) {
  return n == 5   ? &resident<T, n_threads, 5>
         : n == 7 ? &resident<T, n_threads, 7>
         : n == 9 ? &resident<T, n_threads, 9>
                  : &resident<T, n_threads, 0>;
}

}  // namespace crinkle::kernel
