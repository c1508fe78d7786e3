// Real lines of lengths that the compiler knows: as pairs, complex lines of half as many numbers, folded in shared memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/known.cuh"

namespace crinkle::fft::kernel {

/// body(lane, k) of all lines, k ≤ n/2.
template <class K, class Body>
__device__ __forceinline__ void for_each_half(const Body& body) {
  constexpr std::uint32_t n_threads = K::n / held<K>;  // of a line
  const std::uint32_t lane = threadIdx.x / n_threads, k = threadIdx.x % n_threads;
#pragma unroll
  for (std::uint32_t j = 0; j < held<K> / 2; ++j) body(lane, k + j * n_threads);
  if (k == 0) body(lane, K::n / 2);
}

/// Pairs of real numbers to the half of their transform.
template <class K>
__global__ void __launch_bounds__(K::threads, K::n_blocks)
    known_real_lines(const __grid_constant__ CudaLines<typename K::T> lines, std::int64_t first, const char* in, char* out) {
  extern __shared__ __align__(16) char shared[];
  using T = typename K::T;
  auto* const cells = reinterpret_cast<Number<T>*>(shared);
  char* const own = shared + threadIdx.x / K::group * group_bytes<K>;  // the group's
  const Block block = block_of(lines, first + blockIdx.x);
  Number<T> a[held<K>];
  read_numbers<K>(lines, block, in, a);
  known_stages<K, 0>(lines, own, a, false);
  wait<K>();
  write_cells<K, last_stage<K>>(lines, reinterpret_cast<Number<T>*>(own), [&](std::uint32_t j) { return a[j]; });
  wait<K>();
  const auto put_at = [&](std::uint32_t lane, std::uint32_t k, const Number<T>& x) {
    char* const line = out + block.out + lane * lines.lane.out;
    put(reinterpret_cast<Number<T>*>(line + k * lines.ends.out), {x.re * lines.ends.re, x.im * lines.ends.im});
  };
  const auto folded_at = [&](std::uint32_t lane, std::uint32_t k, Number<T>* other) {
    const Number<T>* const from = cells + lane * Places<K, 0>::stride;
    Number<T> x;
    fold(from[place_of<K, 0>(k)], from[place_of<K, 0>(k == 0 ? 0 : K::n - k)], entry(lines.ends.fold + k), &x, other);
    return x;
  };
  if constexpr (!K::are_columns && K::group == 32) {  // the lines of a warp one behind the other, since they are no multiples of a sector
    constexpr std::uint32_t n_lines = 32 * held<K> / K::n, n_put = K::n + 1;
#pragma unroll
    for (std::uint32_t j = 0; j < (n_lines * n_put + 31) / 32; ++j) {
      const std::uint32_t i = threadIdx.x % 32 + 32 * j, lane = threadIdx.x / 32 * n_lines + i / n_put, k = i % n_put;
      if (i >= n_lines * n_put || lane >= block.n_lines) continue;
      const std::uint32_t h = 2 * k > K::n ? K::n - k : k;
      Number<T> other;
      const Number<T> x = folded_at(lane, h, &other);
      put_at(lane, k, h == k ? x : other);
    }
  } else {
    for_each_half<K>([&](std::uint32_t lane, std::uint32_t k) {
      if (lane >= block.n_lines) return;
      Number<T> other;
      put_at(lane, k, folded_at(lane, k, &other));
      if (2 * k != K::n) put_at(lane, K::n - k, other);
    });
  }
}

/// The half of a transform to pairs of real numbers.
template <class K>
__global__ void __launch_bounds__(K::threads, K::n_blocks)
    known_lines_to_real(const __grid_constant__ CudaLines<typename K::T> lines, std::int64_t first, const char* in, char* out) {
  extern __shared__ __align__(16) char shared[];
  using T = typename K::T;
  auto* const cells = reinterpret_cast<Number<T>*>(shared);
  char* const own = shared + threadIdx.x / K::group * group_bytes<K>;  // the group's
  const Block block = block_of(lines, first + blockIdx.x);
  constexpr std::uint32_t n_threads = K::n / held<K>;  // of a line
  const std::uint32_t lane = threadIdx.x / n_threads, first_k = threadIdx.x % n_threads;
  const char* const line = in + block.in + lane * lines.lane.in;
  const bool is_there = lane < block.n_lines;
  const auto number_of = [&](std::uint32_t k, bool is_read) {
    return is_read ? *reinterpret_cast<const Number<T>*>(line + k * lines.ends.in) : Number<T>{0, 0};
  };
  Number<T> a[held<K>];
#pragma unroll
  for (std::uint32_t j = 0; j < held<K> / 2; ++j) {
    const std::uint32_t k = first_k + j * n_threads;
    a[2 * j] = number_of(k, is_there);
    a[2 * j + 1] = number_of(K::n - k, is_there);
  }
  const Number<T> middle = number_of(K::n / 2, is_there && first_k == 0);
  Number<T>* const to = cells + lane * Places<K, 0>::stride;
  // Cells of numbers that are a multiple of a row apart are as far apart as the compiler can tell.
  constexpr bool are_rows_apart = n_threads % numbers_a_row<T> == 0;
  constexpr auto apart = static_cast<std::uint32_t>(n_threads + n_threads / numbers_a_row<T>);
  Number<T>*const up = to + place_of<K, 0>(first_k), *const down = to + place_of<K, 0>(K::n - first_k);
#pragma unroll
  for (std::uint32_t j = 0; j < held<K> / 2; ++j) {
    const std::uint32_t k = first_k + j * n_threads;
    a[2 * j].im = k == 0 ? 0 : a[2 * j].im * lines.ends.im_in;
    a[2 * j + 1].im = k == 0 ? 0 : a[2 * j + 1].im * lines.ends.im_in;
    Number<T> x, y;
    fold(a[2 * j], a[2 * j + 1], entry(lines.ends.fold + k), &x, &y);
    *(are_rows_apart ? up + j * apart : to + place_of<K, 0>(k)) = x;
    if (k != 0) *(are_rows_apart ? down - j * apart : to + place_of<K, 0>(K::n - k)) = y;
  }
  if (first_k == 0) {
    const Number<T> m{middle.re, middle.im * lines.ends.im_in};
    Number<T> x, y;
    fold(m, m, Number<T>{-1, 0}, &x, &y);  // the table's number of n/2
    to[place_of<K, 0>(K::n / 2)] = x;
  }
  wait<K>();
  read_cells<K, 0, 0>(lines, reinterpret_cast<const Number<T>*>(own), [&](std::uint32_t j, const Number<T>& x) { a[j] = x; });
  known_stages<K, 0>(lines, own, a, true);
  put_numbers<K>(lines, block, a, out);
}

}  // namespace crinkle::fft::kernel
