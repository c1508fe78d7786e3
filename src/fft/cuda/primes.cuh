// Where a line's numbers lie in shared memory, and stages of prime radices that no thread holds: products with cosines and sines there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "fft/cuda/ends.cuh"

namespace crinkle::fft::kernel {

struct Divided {
  std::uint32_t quotient, remainder;
};
__device__ inline Divided divide(std::uint32_t x, const Division& by) {
  const std::uint32_t q = by.magic == 0 ? x : __umulhi(x, by.magic);
  return {q, x - q * by.divisor};
}

// Where number j of a line lies: one is left out after as many as all banks hold, so that steps of a power of two meet different banks.
template <class T>
__device__ inline std::uint32_t cell(std::uint32_t j) {
  return j + j / static_cast<std::uint32_t>(numbers_a_row<T>);
}

// A prime radix r that has no butterfly, in shared memory: with t_j = a_j + a_{r−j}, d_j = a_j − a_{r−j}, j ≤ (r − 1)/2,
//     X_k, X_{r−k} = a_0 + Σ t_j cos(2πjk/r) ∓ i Σ d_j sin(2πjk/r).
// A thread has a few k of one line; those beside it have the same k of others, so that they read the same cosines.
template <class T>
__device__ __forceinline__ void prime_stage(const CudaLines<T>& lines, const CudaStage& st, Number<T>* cells) {
  constexpr std::uint32_t n_each = n_sums;
  const std::uint32_t r = static_cast<std::uint32_t>(st.radix), half = (r - 1) / 2;
  const Divided item = divide(threadIdx.x, st.by_columns), column = divide(item.remainder, st.by_butterflies);
  const std::uint32_t b = column.remainder, first = item.quotient * n_each + 1;  // k, and j
  const bool is_there = first <= half;
  Number<T>* const line = cells + column.quotient * lines.cell_stride;
  const auto place_of = [&](std::uint32_t j) { return cell<T>(b + j * st.n_butterflies); };
  if (is_there) {
#pragma unroll 2
    for (std::uint32_t j = first; j < first + n_each && j <= half; ++j) {
      const Number<T> x = line[place_of(j)], y = line[place_of(r - j)];
      line[place_of(j)] = x + y;
      line[place_of(r - j)] = x - y;
    }
  }
  __syncthreads();
  Number<T> even[n_each], odd[n_each], sum{0, 0};
  if (is_there) {
    sum = line[place_of(0)];
#pragma unroll
    for (std::uint32_t k = 0; k < n_each; ++k) {
      even[k] = sum;
      odd[k] = {0, 0};
    }
    const Number<T>* w = lines.tables + st.sums + item.quotient * (n_each * half);
#pragma unroll 2
    for (std::uint32_t j = 1; j <= half; ++j) {
      const Number<T> t = line[place_of(j)], d = line[place_of(r - j)];
      sum = sum + t;
#pragma unroll
      for (std::uint32_t k = 0; k < n_each; k += 2) {
        Number<T> c[2];
        two_entries(w + k, c);
#pragma unroll
        for (std::uint32_t i = 0; i < 2; ++i) {
          even[k + i] = {fused(t.re, c[i].re, even[k + i].re), fused(t.im, c[i].re, even[k + i].im)};
          odd[k + i] = {fused(d.re, c[i].im, odd[k + i].re), fused(d.im, c[i].im, odd[k + i].im)};
        }
      }
      w += n_each;
    }
  }
  __syncthreads();
  if (is_there) {
    const Divided at = divide(b, st.by_s);
    const std::uint32_t begin = at.remainder + st.s * r * at.quotient;
    const auto put_result = [&](std::uint32_t k, const Number<T>& x) {
      line[cell<T>(begin + k * st.s)] = st.m > 1 ? x * entry(lines.tables + st.twiddles + k * st.m + at.quotient) : x;
    };
    if (first == 1) put_result(0, sum);
#pragma unroll
    for (std::uint32_t k = 0; k < n_each; ++k) {
      if (first + k > half) break;
      put_result(first + k, {even[k].re + odd[k].im, even[k].im - odd[k].re});
      put_result(r - first - k, {even[k].re - odd[k].im, even[k].im + odd[k].re});
    }
  }
  __syncthreads();
}

}  // namespace crinkle::fft::kernel
