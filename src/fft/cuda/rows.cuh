// Lines to rows of the workspace and back, for lines that no shared memory holds: their ends, and what is multiplied between two passes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "fft/cuda/ends.cuh"

namespace crinkle::fft::kernel {

constexpr int row_threads = 256, row_places = 8;  // of a thread, of one line

/// body(line, place) of all lines' places.
template <class Body>
__device__ inline void for_each_row_place(std::int64_t n_lines, std::int64_t n, const Body& body) {
  constexpr std::int64_t chunk = row_threads * row_places;
  const std::int64_t n_chunks = (n + chunk - 1) / chunk;
  for (std::int64_t i = blockIdx.x; i < n_lines * n_chunks; i += gridDim.x) {
    const std::int64_t line = i / n_chunks, first = (i - line * n_chunks) * chunk + threadIdx.x;
#pragma unroll
    for (int k = 0; k < row_places; ++k)
      if (first + k * row_threads < n) body(line, first + k * row_threads);
  }
}

template <class T>
__device__ inline std::int64_t line_place(const CudaRows<T>& rows, std::int64_t line, bool is_in) {
  std::int64_t place = 0;
  for (int i = rows.loops.n - 1; i >= 0; --i) {
    const CudaLoop& loop = rows.loops.loops[i];
    const std::int64_t above = line / loop.extent;
    place += (line - above * loop.extent) * (is_in ? loop.in : loop.out);
    line = above;
  }
  return place;
}

template <class T>
__global__ void __launch_bounds__(row_threads) lines_to_rows(const __grid_constant__ CudaRows<T> rows, const char* in, Number<T>* out) {
  const CudaEnds<T>& ends = rows.ends;
  if (rows.are_halves) {
    for_each_row_place(rows.n_lines, ends.n / 2 + 1, [&](std::int64_t line, std::int64_t k) {
      Number<T> x, y;
      folded_in(ends, in + line_place(rows, line, true), k, &x, &y);
      put(out + line * rows.row + k, x);
      if (k != 0 && 2 * k != ends.n) put(out + line * rows.row + ends.n - k, y);
    });
    return;
  }
  for_each_row_place(rows.n_lines, rows.row, [&](std::int64_t line, std::int64_t j) {
    put(out + line * rows.row + j, j < ends.n ? number_in(ends, in + line_place(rows, line, true), j) : Number<T>{0, 0});
  });
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    rows_to_lines(const __grid_constant__ CudaRows<T> rows, std::int64_t n_put, const Number<T>* in, char* out) {
  const CudaEnds<T>& ends = rows.ends;
  if (rows.are_halves) {
    for_each_row_place(rows.n_lines, ends.n / 2 + 1, [&](std::int64_t line, std::int64_t k) {
      const Number<T>* const row = in + line * rows.row;
      char* const to = out + line_place(rows, line, false);
      Number<T> x, y;
      fold(row[k], row[k == 0 ? 0 : ends.n - k], entry(ends.fold + k), &x, &y);
      put(reinterpret_cast<Number<T>*>(to + k * ends.out), {x.re * ends.re, x.im * ends.im});
      if (2 * k != ends.n) put(reinterpret_cast<Number<T>*>(to + (ends.n - k) * ends.out), {y.re * ends.re, y.im * ends.im});
    });
    return;
  }
  for_each_row_place(rows.n_lines, n_put, [&](std::int64_t line, std::int64_t place) {
    const Number<T>* const row = in + line * rows.row;
    put_number(ends, out + line_place(rows, line, false), place, [&](std::int64_t k) { return row[k]; });
  });
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    convolve_rows(const Number<T>* __restrict__ kernel, std::int64_t n, std::int64_t n_rows, Number<T>* x) {
  for_each_row_place(n_rows, n, [&](std::int64_t row, std::int64_t j) { put(x + row * n + j, conj(x[row * n + j] * entry(kernel + j))); });
}

}  // namespace crinkle::fft::kernel
