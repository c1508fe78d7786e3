// Launches of the kernels of transforms; linear grids, several where one is too small.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <utility>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "fft/cuda/known.hpp"
#include "fft/cuda/lines.cuh"
#include "fft/cuda/rows.cuh"

namespace crinkle::fft {

inline constexpr const char* what_runs = "a Fourier transform";

/// Of radices above most_held, which float32 alone has (direct_many_float.cu, staged_many_float.cu).
const void* direct_many_kernel();
const void* staged_many_kernel();

template <class T>
const void* staged_kernel(std::int64_t held, bool has_sums) {
  if constexpr (sizeof(T) == 4) {
    if (held > most_held) return staged_many_kernel();
  }
  return has_sums ? reinterpret_cast<const void*>(&kernel::staged_lines<T, true>)
                  : reinterpret_cast<const void*>(&kernel::staged_lines<T, false>);
}

// Those of direct.cuh, which are compiled alone: each file takes as long as all that is here.
template <class T>
const void* direct_few_kernel(bool reads, bool writes);
template <class T>
const void* direct_most_kernel();

/// Lines that a butterfly reads or writes; only those of a few numbers a thread have kernels that do one of them.
template <class T>
const void* direct_kernel(std::int64_t held, bool reads, bool writes) {
  if constexpr (sizeof(T) == 4) {
    if (held > most_held) return direct_many_kernel();
  }
  return reads && writes && held != few_held ? direct_most_kernel<T>() : direct_few_kernel<T>(reads, writes);
}

template <class T>
void launch_lines(const CudaLines<T>& lines, const std::byte* in, std::byte* out, CUstream_st* stream) {
  const bool has_sums = lines.n_stages > 0 && lines.stages[lines.n_stages - 1].sums >= 0;
  const void* const kernel = lines.known >= 0              ? known_kernel(lines)
                             : lines.reads || lines.writes ? direct_kernel<T>(lines.held, lines.reads, lines.writes)
                                                           : staged_kernel<T>(lines.held, has_sums);
  const auto together = static_cast<std::uint32_t>(lines.known >= 0 ? known_shapes<T>[lines.known].cluster() : 1);
  gpu::for_each_grid(
      lines.n_blocks,
      [&](std::int64_t first, std::uint32_t n_groups) {
        void* arguments[] = {const_cast<CudaLines<T>*>(&lines), &first, &in, &out};
        gpu::launch(kernel, {n_groups * together, static_cast<std::uint32_t>(lines.threads), lines.shared_bytes()}, arguments, stream,
                    what_runs);
      },
      gpu::most_blocks / together);
}

template <class T>
void allow_lines(std::int64_t shared_bytes, int device) {
  gpu::allow_shared_bytes(direct_most_kernel<T>(), shared_bytes, device);
  for (const auto& [reads, writes] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}})
    gpu::allow_shared_bytes(direct_few_kernel<T>(reads, writes), shared_bytes, device);
  for (const bool has_sums : {false, true}) gpu::allow_shared_bytes(staged_kernel<T>(most_held, has_sums), shared_bytes, device);
  if constexpr (sizeof(T) == 4) {
    gpu::allow_shared_bytes(direct_many_kernel(), shared_bytes, device);
    gpu::allow_shared_bytes(staged_many_kernel(), shared_bytes, device);
  }
}

inline gpu::Grid row_grid(std::int64_t n_lines, std::int64_t n) {
  constexpr std::int64_t chunk = kernel::row_threads * kernel::row_places;
  const std::int64_t n_blocks = std::clamp<std::int64_t>((n + chunk - 1) / chunk * n_lines, 1, 1 << 20);
  return {static_cast<std::uint32_t>(n_blocks), kernel::row_threads};
}

template <class T>
void launch_to_rows(const CudaRows<T>& rows, const std::byte* in, std::byte* out, CUstream_st* stream) {
  void* arguments[] = {const_cast<CudaRows<T>*>(&rows), &in, &out};
  const std::int64_t n = rows.are_halves ? rows.ends.n / 2 + 1 : rows.row;
  gpu::launch(reinterpret_cast<const void*>(&kernel::lines_to_rows<T>), row_grid(rows.n_lines, n), arguments, stream, what_runs);
}

template <class T>
void launch_from_rows(const CudaRows<T>& rows, const std::byte* in, std::byte* out, CUstream_st* stream) {
  std::int64_t n_put = rows.are_halves ? rows.ends.n / 2 + 1 : rows.ends.out_kind == CudaOut::pairs ? rows.ends.n : rows.ends.n_out;
  void* arguments[] = {const_cast<CudaRows<T>*>(&rows), &n_put, &in, &out};
  gpu::launch(reinterpret_cast<const void*>(&kernel::rows_to_lines<T>), row_grid(rows.n_lines, n_put), arguments, stream, what_runs);
}

template <class T>
void launch_convolve(const Number<T>* kernel, std::int64_t n, std::int64_t n_rows, std::byte* x, CUstream_st* stream) {
  void* arguments[] = {&kernel, &n, &n_rows, &x};
  gpu::launch(reinterpret_cast<const void*>(&kernel::convolve_rows<T>), row_grid(n_rows, n), arguments, stream, what_runs);
}

#define CRINKLE_FFT_LAUNCHES(T)                                                                      \
  template void launch_lines<T>(const CudaLines<T>&, const std::byte*, std::byte*, CUstream_st*);    \
  template void allow_lines<T>(std::int64_t, int);                                                   \
  template void launch_to_rows<T>(const CudaRows<T>&, const std::byte*, std::byte*, CUstream_st*);   \
  template void launch_from_rows<T>(const CudaRows<T>&, const std::byte*, std::byte*, CUstream_st*); \
  template void launch_convolve<T>(const Number<T>*, std::int64_t, std::int64_t, std::byte*, CUstream_st*)

}  // namespace crinkle::fft
