// The ends of lines that go through shared memory: elements of any layout to cells, and back. `Lines` are those of a kernel that learns
// them (CudaLines) or of one that knows them (KnownCells, known.cuh): are_numbers_in, are_numbers_out: whole complex numbers, which are
// known to be.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "fft/cuda/twiddles.cuh"

namespace crinkle::fft::kernel {

template <class T>
__device__ inline std::uint32_t cell(const CudaLines<T>&, std::uint32_t j) {
  return cell<T>(j);
}

// Rader's order, and the first number, which takes no part in the convolution: behind the others.
template <class T>
__device__ inline bool is_ordered(const CudaLines<T>& lines) {
  return lines.order != nullptr;
}
template <class T>
__device__ inline Number<T>& first_number(const CudaLines<T>& lines, Number<T>* cells, std::uint32_t lane) {
  return cells[lane * lines.cell_stride + cell<T>(static_cast<std::uint32_t>(lines.n))];
}
/// Number j of a line, before its stages.
template <class Lines, class T>
__device__ __forceinline__ Number<T>& number_before(const Lines& lines, Number<T>* cells, std::uint32_t lane, std::uint32_t j) {
  if (!is_ordered(lines)) return cells[lane * lines.cell_stride + cell(lines, j)];
  if (j == 0) return first_number(lines, cells, lane);
  return cells[lane * lines.cell_stride + cell(lines, __ldg(lines.order + j) & 0xFFFF)];
}
/// X[k], behind them.
template <class Lines, class T>
__device__ __forceinline__ Number<T> number_behind(const Lines& lines, Number<T>* cells, std::uint32_t lane, std::uint32_t k) {
  if (!is_ordered(lines)) return cells[lane * lines.cell_stride + cell(lines, k)];
  if (k == 0) return first_number(lines, cells, lane);
  return conj(cells[lane * lines.cell_stride + cell(lines, __ldg(lines.order + k) >> 16)]);
}
/// Number j of a convolution's transform times its kernel, for the inverse one. To Rader's, whose number 0 is their sum, the first number
/// is added: to all by number 0.
template <class T>
__device__ __forceinline__ Number<T> convolved(const Number<T>& x, const Number<T>& by) {
  return conj(x * by);
}
template <class T>
__device__ __forceinline__ Number<T> convolved_with_first(const Number<T>& x, const Number<T>& by, Number<T>& first) {
  const Number<T> result = convolved(x, by) + conj(first);
  first = first + x;
  return result;
}

/// body(lane, place) of all lines' places, of which there are `by.divisor`.
template <class Lines, class F>
__device__ __forceinline__ void for_each_place(const Lines& lines, const Division& by, bool lanes_first, const F& body) {
  const std::uint32_t n = static_cast<std::uint32_t>(lines.n_lanes) * by.divisor;
  const auto one = [&](std::uint32_t e) {
    const Divided at = divide(e, lanes_first ? lines.by_lanes : by);
    if (lanes_first) body(at.remainder, at.quotient);
    else body(at.quotient, at.remainder);
  };
  if constexpr (Lines::are_known) {  // a thread has so many, and perhaps one more
    constexpr std::uint32_t n_threads = Lines::n_threads;
#pragma unroll 8
    for (std::uint32_t i = 0; i < n / n_threads; ++i) one(threadIdx.x + i * n_threads);
    if (n % n_threads != 0 && threadIdx.x < n % n_threads) one(threadIdx.x + n / n_threads * n_threads);
  } else {
#pragma unroll 4
    for (std::uint32_t e = threadIdx.x; e < n; e += blockDim.x) one(e);
  }
}

template <class Lines, class T>
__device__ __forceinline__ void load_cells(const Lines& lines, const Block& block, Number<T>* cells, const char* in) {
  if (!Lines::are_numbers_in && are_folded_in(lines.ends)) {
    const auto n = static_cast<std::uint32_t>(lines.ends.n);
    for_each_place(lines, lines.by_in, lines.lanes_first_in, [&](std::uint32_t lane, std::uint32_t h) {
      Number<T> x{0, 0}, other{0, 0};
      if (lane < block.n_lines) folded_in(lines.ends, in + static_cast<std::int64_t>(lane) * lines.lane.in, h, &x, &other);
      number_before(lines, cells, lane, h) = x;
      if (h != 0) number_before(lines, cells, lane, n - h) = 2 * h == n ? x : other;
    });
    __syncthreads();
    return;
  }
  if constexpr (Lines::are_numbers_in) {
    for_each_place(lines, lines.by_in, lines.lanes_first_in, [&](std::uint32_t lane, std::uint32_t j) {
      const char* const from = in + static_cast<std::int64_t>(lane) * lines.lane.in + j * lines.ends.in;
      Number<T> x{0, 0};
      if (lane < block.n_lines && j < lines.ends.n) {
        x = *reinterpret_cast<const Number<T>*>(from);
        x.im *= lines.ends.im_in;
        if (lines.ends.chirp != nullptr) x = x * entry(lines.ends.chirp + j);
      }
      number_before(lines, cells, lane, j) = x;
    });
    __syncthreads();
    return;
  }
  for_each_place(lines, lines.by_in, lines.lanes_first_in, [&](std::uint32_t lane, std::uint32_t j) {
    const bool is_there = lane < block.n_lines && j < lines.ends.n;
    number_before(lines, cells, lane, j) =
        is_there ? number_in(lines.ends, in + static_cast<std::int64_t>(lane) * lines.lane.in, j) : Number<T>{0, 0};
  });
  __syncthreads();
}
template <class Lines, class T>
__device__ __forceinline__ void store_cells(const Lines& lines, const Block& block, Number<T>* cells, char* out) {
  if (lines.twist_loop >= 0) {
    for_each_place(lines, lines.by_n, false, [&](std::uint32_t lane, std::uint32_t i) {
      Number<T>& x = cells[lane * lines.cell_stride + cell(lines, i)];
      if (lane < block.n_lines) x = twisted(lines, twist_of(block, lane), i, x);
    });
    __syncthreads();
  }
  if (!Lines::are_numbers_out && are_folded_out(lines.ends)) {
    const auto n = static_cast<std::uint32_t>(lines.ends.n);
    for_each_place(lines, lines.by_put, lines.lanes_first_out, [&](std::uint32_t lane, std::uint32_t h) {
      if (lane >= block.n_lines) return;
      char* const to = out + static_cast<std::int64_t>(lane) * lines.lane.out;
      Number<T> x, other;
      fold(number_behind(lines, cells, lane, h), number_behind(lines, cells, lane, h == 0 ? 0 : n - h), entry(lines.ends.fold + h), &x,
           &other);
      put_element(lines.ends, to, h, x);
      if (2 * h != n) put_element(lines.ends, to, n - h, other);
    });
    return;
  }
  if constexpr (Lines::are_numbers_out) {
    for_each_place(lines, lines.by_put, lines.lanes_first_out, [&](std::uint32_t lane, std::uint32_t k) {
      if (lane >= block.n_lines) return;
      Number<T> x = number_behind(lines, cells, lane, k);
      if (lines.ends.chirp != nullptr) x = conj(x) * entry(lines.ends.chirp + k);
      char* const to = out + static_cast<std::int64_t>(lane) * lines.lane.out + k * lines.ends.out;
      put(reinterpret_cast<Number<T>*>(to), {x.re * lines.ends.re, x.im * lines.ends.im});
    });
    return;
  }
  for_each_place(lines, lines.by_put, lines.lanes_first_out, [&](std::uint32_t lane, std::uint32_t k) {
    if (lane >= block.n_lines) return;
    put_number(lines.ends, out + static_cast<std::int64_t>(lane) * lines.lane.out, k,
               [&](std::int64_t i) { return number_behind(lines, cells, lane, static_cast<std::uint32_t>(i)); });
  });
}

}  // namespace crinkle::fft::kernel
