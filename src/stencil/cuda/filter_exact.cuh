// Sums of bytes (filter.cuh) as the definition has them, in float64: those marked as too near to a half in float32.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/filter_place.cuh"

namespace crinkle::kernel {

/// Term k of a cell's last sum, as the definition has it.
template <class P>
__device__ double exact_term(const P& p, const FilterTask& task, const char* in, std::int64_t y, std::int64_t x, int k) {
  const auto value = [&](int row, std::int64_t i) {
    const std::int64_t place = filter_row(p, task, y + p.first_down - p.n_unused + row), at = FilterPlace<P>::element(p, task, i);
    if (at < 0 && (p.line_wins || place >= 0)) return value_beyond<double>(task.of_line, at);
    if (place < 0) return value_beyond<double>(task.of_rows, place);
    return static_cast<double>(reinterpret_cast<const typename P::In*>(in + place * task.rows.in)[at]);
  };
  if constexpr (P::n_across == 0) {
    return weighted(p.exact_down(k), value(k, x));
  } else if constexpr (P::is_grid) {
    return weighted(p.exact_grid(k), value(k / P::n_across, x + (P::first_across + k % P::n_across) * P::width));
  } else {
    const std::int64_t i = x + (P::first_across + k) * P::width;
    double total = weighted(p.exact_down(0), value(0, i));
#pragma unroll 1
    for (int row = 1; row < P::n_down; ++row) total = added(total, weighted(p.exact_down(row), value(row, i)));
    return weighted(p.exact_across(k), total);
  }
}

/// The sum of the element x in row y, by all threads of a warp.
template <class P>
__device__ __forceinline__ double exact_sum(const P& p, const FilterTask& task, const char* in, std::int64_t y, std::int64_t x) {
  constexpr int n_terms = P::n_across == 0 ? P::n_down : P::is_grid ? P::n_down * P::n_across : P::n_across;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  double total = 0;
#pragma unroll 1
  for (int first = 0; first < n_terms; first += 32) {
    const double term = first + lane < n_terms ? exact_term(p, task, in, y, x, first + lane) : 0;
#pragma unroll 1
    for (int k = 0; k < 32 && first + k < n_terms; ++k) {
      const double next = __shfl_sync(0xffffffffu, term, k);
      total = first + k == 0 ? next : added(total, next);
    }
  }
  return total;
}

/// The whole number that a sum becomes: half to even, within what an element holds.
template <class Out, class T>
__device__ __forceinline__ T whole(T x) {
  constexpr T magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);
  constexpr T least = sizeof(Out) == 1 ? T(0) : T(-32768), most = sizeof(Out) == 1 ? T(255) : T(32767);
  const T rounded = (x + magic) - magic;
  return rounded < least ? least : rounded > most ? most : rounded;
}

/// Makes a warp's marked elements of some rows anew. Marks: [row][lane of a thread], a bit a thread.
template <class P>
__device__ __forceinline__ void mend_marked(const P& p, const FilterTask& task, std::int64_t x, const char* in, char* out,
                                            std::int64_t begin, int n_rows, const unsigned* marks) {
  constexpr int n = P::lanes;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t first = x - lane * n;
  __syncwarp();
  for (int k = 0; k < n_rows * n; k += 32) {
    const unsigned word = k + lane < n_rows * n ? marks[k + lane] : 0;
    for (unsigned left = __ballot_sync(0xffffffffu, word != 0); left != 0; left &= left - 1) {
      const int of = __ffs(static_cast<int>(left)) - 1;
      const std::int64_t y = begin + (k + of) / n;
      for (unsigned threads = __shfl_sync(0xffffffffu, word, of); threads != 0; threads &= threads - 1) {
        const std::int64_t at = first + (__ffs(static_cast<int>(threads)) - 1) * n + (k + of) % n;
        const double sum = whole<typename P::Out>(exact_sum(p, task, in, y, at));
        if (lane == 0)
          store_one(reinterpret_cast<typename P::Out*>(out + y * task.rows.out) + at, static_cast<typename P::Out>(static_cast<int>(sum)));
      }
    }
  }
}

}  // namespace crinkle::kernel
