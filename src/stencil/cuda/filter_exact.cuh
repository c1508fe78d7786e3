// Sums of bytes (filter.cuh) as the definition has them, in float64: those marked as too near to a half in float32.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/filter_place.cuh"

namespace crinkle::kernel {

/// The sum of the element x in row y.
template <class P>
__device__ double exact_sum(const P& p, const FilterTask& task, const char* in, std::int64_t y, std::int64_t x) {
  constexpr int n_terms = P::n_across == 0 ? P::n_down : P::is_grid ? P::n_down * P::n_across : P::n_across;
  constexpr std::int64_t reach = P::n_across == 0 ? 0 : (P::n_across - 1) * P::width;
  using In = typename P::In;
  const std::int64_t first_row = y + p.first_down - p.n_unused, first = x + (P::n_across == 0 ? 0 : P::first_across * P::width);
  const bool is_inside =
      first_row >= 0 && first_row + P::n_down <= task.rows.extent && first >= 0 && first + reach < task.line.extent;  // most are
  const auto value = [&](int row, std::int64_t i) {
    const std::int64_t place = filter_row(p, task, first_row + row), at = FilterPlace<P>::element(p, task, i);
    if (at < 0 && (p.line_wins || place >= 0)) return value_beyond<double>(task.of_line, at);
    if (place < 0) return value_beyond<double>(task.of_rows, place);
    return static_cast<double>(reinterpret_cast<const In*>(in + place * task.rows.in)[at]);
  };
  const auto term = [&](int k) {
    if constexpr (P::n_across == 0) {
      return weighted(p.exact_down(k), value(k, x));
    } else if constexpr (P::is_grid) {
      return weighted(p.exact_grid(k), value(k / P::n_across, first + k % P::n_across * P::width));
    } else {
      const std::int64_t i = first + k * P::width;
      const char* const column = in + first_row * task.rows.in + i * static_cast<std::int64_t>(sizeof(In));
      double total = 0;
      if (is_inside) {
#pragma unroll 4
        for (int row = 0; row < P::n_down; ++row) {
          const double one = weighted(p.exact_down(row), static_cast<double>(*reinterpret_cast<const In*>(column + row * task.rows.in)));
          total = row == 0 ? one : added(total, one);
        }
      } else {
#pragma unroll 1
        for (int row = 0; row < P::n_down; ++row) {
          const double one = weighted(p.exact_down(row), value(row, i));
          total = row == 0 ? one : added(total, one);
        }
      }
      return weighted(p.exact_across(k), total);
    }
  };
  double total = term(0);
#pragma unroll 1
  for (int k = 1; k < n_terms; ++k) total = added(total, term(k));
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

/// Makes a warp's marked elements of some rows anew, as many at once as it has threads. Marks: [row][lane of a thread], a bit a thread.
template <class P>
__device__ __forceinline__ void mend_marked(const P& p, const FilterTask& task, std::int64_t x, const char* in, char* out,
                                            std::int64_t begin, int n_rows, const unsigned* marks) {
  using Out = typename P::Out;
  constexpr int n = P::lanes;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t first = x - lane * n;
  int n_held = 0;  // of the warp's threads have an element
  std::int64_t own_y = 0, own_x = 0;
  const auto mend = [&] {
    if (lane < n_held) {
      const double sum = whole<Out>(exact_sum(p, task, in, own_y, own_x));
      store_one(reinterpret_cast<Out*>(out + own_y * task.rows.out) + own_x, static_cast<Out>(static_cast<int>(sum)));
    }
    n_held = 0;
  };
  __syncwarp();
  for (int k = 0; k < n_rows * n; k += 32) {
    const unsigned word = k + lane < n_rows * n ? marks[k + lane] : 0;
    for (unsigned left = __ballot_sync(0xffffffffu, word != 0); left != 0; left &= left - 1) {
      const int of = __ffs(static_cast<int>(left)) - 1;
      for (unsigned threads = __shfl_sync(0xffffffffu, word, of); threads != 0; threads &= threads - 1) {
        if (lane == n_held) {
          own_y = begin + (k + of) / n;
          own_x = first + (__ffs(static_cast<int>(threads)) - 1) * n + (k + of) % n;
        }
        if (++n_held == 32) mend();
      }
    }
  }
  mend();
}

}  // namespace crinkle::kernel
