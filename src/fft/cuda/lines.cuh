// Kernels of transforms: several lines a block, their numbers in registers for a butterfly and in shared memory between two.
//     direct   the first butterflies read memory, or the last ones write it, or both
//     staged   all go through shared memory: short lines, convolutions, addresses that are no multiples of a number, primes that no thread
//              holds (primes.cuh)
// Every thread holds all that it will write before anything is written, so that one array of cells is enough.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "fft/cuda/cells.cuh"
#include "fft/cuda/primes.cuh"

namespace crinkle::fft::kernel {

// Inlined, as what calls it is: calls keep the kernel to 64 registers, which it spills.
template <bool from_memory, bool to_memory, int R, int held, class T>
__device__ __forceinline__ void stage(const CudaLines<T>& lines, const CudaStage& st, const Block& block, Number<T>* cells, const char* in,
                                      char* out) {
  constexpr int n_each = static_cast<int>(butterflies_held(held, R));
  const std::uint32_t n_items = static_cast<std::uint32_t>(lines.n_lanes) * st.n_butterflies;
  const bool lanes_first = to_memory     ? lines.lanes_first_out
                           : from_memory ? lines.lanes_first_in
                                         : lines.lanes_first_in && lines.lanes_first_out;
  const auto lane_of = [&](std::uint32_t item, std::uint32_t* b) {
    const Divided at = divide(item, lanes_first ? lines.by_lanes : st.by_butterflies);
    *b = lanes_first ? at.quotient : at.remainder;
    return lanes_first ? at.remainder : at.quotient;
  };
  Number<T> a[n_each][R];
#pragma unroll
  for (int e = 0; e < n_each; ++e) {
    const std::uint32_t item = threadIdx.x + e * blockDim.x;
    if (item >= n_items) break;
    std::uint32_t b;
    const std::uint32_t lane = lane_of(item, &b);
    if constexpr (from_memory) {
      const char* const line = in + static_cast<std::int64_t>(lane) * lines.lane.in + static_cast<std::int64_t>(b) * lines.ends.in;
      const std::int64_t step = static_cast<std::int64_t>(st.m) * lines.ends.in;
      const auto read = [&](int i, std::int64_t back) {
        const bool is_there = lane < block.n_lines && b + i * st.m < lines.ends.n_in;
        a[e][i] = is_there ? *reinterpret_cast<const Number<T>*>(line + i * step + back) : Number<T>{0, 0};
      };
      if (held > most_held || lines.ends.in_shift == 0) {
#pragma unroll
        for (int i = 0; i < R; ++i) read(i, 0);
      } else {
#pragma unroll
        for (int i = 0; i < R; ++i) read(i, turned(b + i * st.m, lines.ends.in_shift, lines.ends.n_in) * lines.ends.in);
      }
#pragma unroll
      for (int i = 0; i < R; ++i) a[e][i].im *= lines.ends.im_in;
    } else {
      const Number<T>* const line = cells + lane * lines.cell_stride;
#pragma unroll
      for (int i = 0; i < R; ++i) a[e][i] = line[cell<T>(b + i * st.n_butterflies)];
    }
  }
  if constexpr (!from_memory) __syncthreads();
#pragma unroll
  for (int e = 0; e < n_each; ++e) {
    const std::uint32_t item = threadIdx.x + e * blockDim.x;
    if (item >= n_items) break;
    std::uint32_t b;
    const std::uint32_t lane = lane_of(item, &b);
    butterfly<R>(a[e]);
    if constexpr (to_memory) {
      if (lane >= block.n_lines) continue;
      if (lines.is_twisted()) {  // of the lanes of a warp most have the same c, and read the same powers
        const std::int64_t c = twist_of(block, lane);
        if (from_memory && lines.first_stage_m > 0) twiddle<R>(a[e], lines.tables + st.twiddles + c, lines.first_stage_m);
        else twist<R>(lines, c, b, st.s, a[e]);
      }
      char* const line = out + static_cast<std::int64_t>(lane) * lines.lane.out + static_cast<std::int64_t>(b) * lines.ends.out;
      const std::int64_t step = static_cast<std::int64_t>(st.s) * lines.ends.out;
      const auto write = [&](int k, std::int64_t back) {
        put(reinterpret_cast<Number<T>*>(line + k * step + back), {a[e][k].re * lines.ends.re, a[e][k].im * lines.ends.im});
      };
      if (held > most_held || lines.ends.out_shift == 0) {
#pragma unroll
        for (int k = 0; k < R; ++k) write(k, 0);
      } else {
#pragma unroll
        for (int k = 0; k < R; ++k) write(k, turned(b + k * st.s, lines.ends.out_shift, lines.ends.n_out) * lines.ends.out);
      }
    } else {
      const Divided at = divide(b, st.by_s);
      if (st.m > 1) twiddle<R>(a[e], lines.tables + st.twiddles + at.quotient, st.m);
      Number<T>* const line = cells + lane * lines.cell_stride;
      const std::uint32_t first = at.remainder + st.s * R * at.quotient;
#pragma unroll
      for (int k = 0; k < R; ++k) line[cell<T>(first + k * st.s)] = a[e][k];
    }
  }
  if constexpr (!to_memory) __syncthreads();
}

template <bool from_memory, bool to_memory, int held, class T>
__device__ __forceinline__ void any_stage(const CudaLines<T>& lines, const CudaStage& st, const Block& block, Number<T>* cells,
                                          const char* in, char* out) {
  if constexpr (held > most_held) {
    switch (st.radix) {
      case 18: return stage<from_memory, to_memory, 18, held>(lines, st, block, cells, in, out);
      case 20: return stage<from_memory, to_memory, 20, held>(lines, st, block, cells, in, out);
      case 21: return stage<from_memory, to_memory, 21, held>(lines, st, block, cells, in, out);
      case 22: return stage<from_memory, to_memory, 22, held>(lines, st, block, cells, in, out);
      case 24: return stage<from_memory, to_memory, 24, held>(lines, st, block, cells, in, out);
      case 25: return stage<from_memory, to_memory, 25, held>(lines, st, block, cells, in, out);
      case 26: return stage<from_memory, to_memory, 26, held>(lines, st, block, cells, in, out);
      case 27: return stage<from_memory, to_memory, 27, held>(lines, st, block, cells, in, out);
      case 28: return stage<from_memory, to_memory, 28, held>(lines, st, block, cells, in, out);
      case 30: return stage<from_memory, to_memory, 30, held>(lines, st, block, cells, in, out);
      default: break;
    }
    if constexpr (from_memory) return;  // the first radix is the largest
  }
  switch (st.radix) {
    case 2: return stage<from_memory, to_memory, 2, held>(lines, st, block, cells, in, out);
    case 3: return stage<from_memory, to_memory, 3, held>(lines, st, block, cells, in, out);
    case 4: return stage<from_memory, to_memory, 4, held>(lines, st, block, cells, in, out);
    case 5: return stage<from_memory, to_memory, 5, held>(lines, st, block, cells, in, out);
    case 6: return stage<from_memory, to_memory, 6, held>(lines, st, block, cells, in, out);
    case 7: return stage<from_memory, to_memory, 7, held>(lines, st, block, cells, in, out);
    case 8: return stage<from_memory, to_memory, 8, held>(lines, st, block, cells, in, out);
    case 9: return stage<from_memory, to_memory, 9, held>(lines, st, block, cells, in, out);
    case 10: return stage<from_memory, to_memory, 10, held>(lines, st, block, cells, in, out);
    default: break;
  }
  if constexpr (held > few_held) {
    switch (st.radix) {
      case 11: return stage<from_memory, to_memory, 11, held>(lines, st, block, cells, in, out);
      case 12: return stage<from_memory, to_memory, 12, held>(lines, st, block, cells, in, out);
      case 13: return stage<from_memory, to_memory, 13, held>(lines, st, block, cells, in, out);
      case 14: return stage<from_memory, to_memory, 14, held>(lines, st, block, cells, in, out);
      case 15: return stage<from_memory, to_memory, 15, held>(lines, st, block, cells, in, out);
      default: return stage<from_memory, to_memory, 16, held>(lines, st, block, cells, in, out);
    }
  }
}

template <class T, int held, bool reads, bool writes>
__global__ void __launch_bounds__(most_fft_threads, held == few_held && sizeof(T) == 4 ? 2 : 1)
    direct_lines(const __grid_constant__ CudaLines<T> lines, std::int64_t first, const char* in, char* out) {
  extern __shared__ __align__(16) char shared[];
  auto* const cells = reinterpret_cast<Number<T>*>(shared);
  const Block block = block_of(lines, first + blockIdx.x);
  in += block.in;
  out += block.out;
  const int last = lines.n_stages - 1;
  if constexpr (!reads) load_cells(lines, block, cells, in);
  if (last == 0) {
    any_stage<reads, writes, held>(lines, lines.stages[0], block, cells, in, out);
  } else {
    any_stage<reads, false, held>(lines, lines.stages[0], block, cells, in, out);
    for (int i = 1; i < last; ++i) any_stage<false, false, held>(lines, lines.stages[i], block, cells, in, out);
    any_stage<false, writes, held>(lines, lines.stages[last], block, cells, in, out);
  }
  if constexpr (!writes) store_cells(lines, block, cells, out);
}

/// Sums of primes need more registers than the rest.
template <class T, bool has_sums, int held = most_held>
__global__ void __launch_bounds__(most_fft_threads)
    staged_lines(const __grid_constant__ CudaLines<T> lines, std::int64_t first, const char* in, char* out) {
  extern __shared__ __align__(16) char shared[];
  auto* const cells = reinterpret_cast<Number<T>*>(shared);
  const Block block = block_of(lines, first + blockIdx.x);
  in += block.in;
  out += block.out;
  load_cells(lines, block, cells, in);
  for (int turn = lines.kernel == nullptr ? 1 : 0; turn < 2; ++turn) {
    for (int i = 0; i < lines.n_stages; ++i) {
      const CudaStage& st = lines.stages[lines.kernel != nullptr && turn == 1 ? lines.n_stages + i : i];
      if (has_sums && st.sums >= 0) prime_stage(lines, st, cells);
      else any_stage<false, false, held>(lines, st, block, cells, in, out);
    }
    if (turn == 1) break;
    for_each_place(lines, lines.by_n, false, [&](std::uint32_t lane, std::uint32_t j) {
      if (lane >= block.n_lines) return;
      Number<T>& x = cells[lane * lines.cell_stride + cell<T>(j)];
      const Number<T> by = entry(lines.kernel + twist_of(block, lane) + j * lines.kernel_step);
      x = j == 0 && lines.order != nullptr ? convolved_with_first(x, by, first_number(lines, cells, lane)) : convolved(x, by);
    });
    __syncthreads();
  }
  store_cells(lines, block, cells, out);
}

}  // namespace crinkle::fft::kernel
