// Filters whose weights are known when the kernel is compiled, or come with the launch (fixed_filter.hpp): weights down the rows and then
// along the line, either alone, or a grid of both. A block marches down the rows of a tile. A thread keeps, of a few columns, one
// unfinished sum for every row that the newest row still adds to,
//     sum[m] = sum[m + 1] + w[n − 2 − m] · row,        finished = sum[0] + w[n − 1] · row,
// so each row is read once, and every sum takes its terms in the order of the list: the bits of the definition. Rows pass through shared
// memory for what lies along the line: finished ones, which are then filtered along it, or of a grid the newest one. A tile has a rim on
// either side. Beyond the ends of the line a thread knows once for all rows which elements to take; rows beyond the faces are others.
// Bytes are summed in float32. Where such a sum is too near to a half, so that the definition's float64 might round otherwise, it is
// marked, and made anew by its warp at the end.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/cuda/filter_exact.cuh"

namespace crinkle::kernel {

/// total + weight · x, rounded once or twice.
template <class P, class T>
__device__ __forceinline__ T plus_weighted(T total, T weight, T x) {
  if constexpr (P::is_rounded) return __fmaf_rn(weight, x, total);
  else return added(total, weighted(weight, x));
}
/// Stores a thread's sums of row y. All threads of a warp call it.
template <class P>
__device__ __forceinline__ void store_sums(const P& p, const FilterTask& task, const FilterPlace<P>& own, const typename P::T* sums,
                                           char* out, std::int64_t y, unsigned* marks) {
  using Out = typename P::Out;
  constexpr int n = P::lanes;
  Lanes<Out, n> made;
  bool is_uncertain[n] = {};
#pragma unroll
  for (int e = 0; e < n; ++e) {
    if constexpr (P::is_rounded) {
      constexpr float magic = 0x1.8p23f;
      const float off = sums[e] - ((sums[e] + magic) - magic);
      is_uncertain[e] = own.is_own && own.x + e < task.line.extent && !(off <= p.certain && off >= -p.certain);
      made.of[e] = static_cast<Out>(__float2int_rz(whole<Out>(sums[e])));
    } else {
      made.of[e] = sums[e];
    }
  }
  if constexpr (P::has_marks) {
    bool is_any = false;
#pragma unroll
    for (int e = 0; e < n; ++e) is_any = is_any || is_uncertain[e];
    if (__any_sync(0xffffffffu, is_any)) {
#pragma unroll
      for (int e = 0; e < n; ++e) {
        const unsigned threads = __ballot_sync(0xffffffffu, is_uncertain[e]);
        if (threadIdx.x % 32 == 0) marks[e] = threads;
      }
    }
  }
  if (!own.is_own) return;
  Out* const to = reinterpret_cast<Out*>(out + y * task.rows.out) + own.x;
  if (task.is_aligned_out && own.x + n <= task.line.extent) {
    *reinterpret_cast<Lanes<Out, n>*>(to) = made;
  } else {
#pragma unroll
    for (int e = 0; e < n; ++e)
      if (own.x + e < task.line.extent) store_one(to + e, made.of[e]);
  }
}
/// What of a row in shared memory is beside a thread's elements, rim by rim.
template <class P>
__device__ __forceinline__ void load_window(const typename P::T* row, typename P::T* window) {
  constexpr int n = P::lanes;
  const auto* const from = reinterpret_cast<const Lanes<typename P::T, n>*>(row) + threadIdx.x - P::rim / n;
#pragma unroll
  for (int q = 0; q <= 2 * P::rim / n; ++q) {
    const Lanes<typename P::T, n> some = from[q];
#pragma unroll
    for (int e = 0; e < n; ++e) window[q * n + e] = some.of[e];
  }
}

template <class P>
__device__ __forceinline__ void filter(const P& p, const FilterTask& task, std::int64_t first_block, const char* in, char* out) {
  using T = typename P::T;
  constexpr int n = P::lanes, n_down = P::n_down, shift = P::rim + P::first_across * P::width;
  constexpr bool has_window = P::n_across > 0;
  static_assert(P::rim % n == 0 && (!P::is_grid || has_window));
  const int threads = threads_of<P>();
  extern __shared__ __align__(16) char shared[];
  T* const rows = reinterpret_cast<T*>(shared);  // [2][threads · lanes]
  auto block = static_cast<std::uint64_t>(first_block) + blockIdx.x;
  const auto next_of = [&](std::int64_t count) {
    const std::uint64_t rest = block / static_cast<std::uint64_t>(count);
    const auto i = static_cast<std::int64_t>(block - rest * static_cast<std::uint64_t>(count));
    block = rest;
    return i;
  };
  FilterPlace<P> own;
  own.find(p, task, next_of(task.n_tiles));
  for (int a = task.n_outer - 1; a >= 0; --a) {
    const std::int64_t i = next_of(task.outer[a].extent);
    in += i * task.outer[a].in;
    out += i * task.outer[a].out;
  }
  const std::int64_t begin = static_cast<std::int64_t>(block) * task.strip;
  const std::int64_t end = begin + task.strip < task.rows.extent ? begin + task.strip : task.rows.extent;
  const int n_rows = static_cast<int>(end - begin);
  unsigned* const marks = reinterpret_cast<unsigned*>(rows + (has_window ? 2 * threads * n : 0)) + threadIdx.x / 32 * task.strip * n;
  if constexpr (P::has_marks) {
    for (int k = static_cast<int>(threadIdx.x) % 32; k < n_rows * n; k += 32) marks[k] = 0;
    __syncwarp();
  }
  T sums[n_down > 1 ? n_down - 1 : 1][n] = {};
  if constexpr (P::is_padded) {  // a sum that has no terms yet: −0 changes none
#pragma unroll
    for (int m = 0; m < n_down - 1; ++m) {
#pragma unroll
      for (int e = 0; e < n; ++e) sums[m][e] = -T(0);
    }
  }
  const int n_there = n_down - p.n_unused;
  const int start = 1 - n_there;  // the first row that is finished, counted from `begin`
  const std::int64_t newest_row = begin + n_there - 1 + p.first_down;
  FilterRow<P> asked[P::ahead];
#pragma unroll
  for (int k = 0; k < P::ahead; ++k)
    if (start + k < n_rows) asked[k].ask(p, task, own, in, newest_row + start + k);
  int parity = 0;
  const auto finish = [&](int row_made, FilterRow<P>& newest) {
    T v[n], window[has_window ? n + 2 * P::rim : 1], made[n];
    newest.take(p, task, own, v);
    if (row_made + P::ahead < n_rows) newest.ask(p, task, own, in, newest_row + row_made + P::ahead);
    T* const row = rows + parity * threads * n;
    parity ^= 1;
    const auto share = [&](const T* x) {
      Lanes<T, n> some;
#pragma unroll
      for (int e = 0; e < n; ++e) some.of[e] = x[e];
      reinterpret_cast<Lanes<T, n>*>(row)[threadIdx.x] = some;
      __syncthreads();
    };
    if constexpr (P::is_grid) share(v);
    if (!P::is_grid || own.is_own) {
      if constexpr (P::is_grid) load_window<P>(row, window);
#pragma unroll
      for (int m = -1; m < n_down - 1; ++m) {  // −1: the finished one
        const int j = n_down - 2 - m;          // the row of weights
        if (P::is_padded && j < p.n_unused) continue;
        T total[n];
#pragma unroll
        for (int e = 0; e < n; ++e) total[e] = j == 0 ? -T(0) : sums[m + 1 < n_down - 1 ? m + 1 : 0][e];
        if constexpr (P::is_grid) {
#pragma unroll
          for (int k = 0; k < P::n_across; ++k) {
            if (P::is_padded && (k < p.begin_across || k >= p.end_across)) continue;
#pragma unroll
            for (int e = 0; e < n; ++e) {
              const T x = window[shift + e + k * P::width];
              total[e] = !P::is_padded && j == 0 && k == 0 ? weighted(p.grid(j, k), x) : plus_weighted<P>(total[e], p.grid(j, k), x);
            }
          }
        } else {
#pragma unroll
          for (int e = 0; e < n; ++e)
            total[e] = !P::is_padded && j == 0 ? weighted(p.down(j), v[e]) : plus_weighted<P>(total[e], p.down(j), v[e]);
        }
#pragma unroll
        for (int e = 0; e < n; ++e) (m < 0 ? made : sums[m < 0 ? 0 : m])[e] = total[e];
      }
    }
    if (row_made < 0) return;
    if constexpr (has_window && !P::is_grid) {
      if constexpr (P::line_is_constant) {
        if (!own.is_vector) {
#pragma unroll
          for (int e = 0; e < n; ++e)
            if (own.at[e] < 0) made[e] = value_beyond<T>(task.of_line, own.at[e]);
        }
      }
      share(made);
      if (own.is_own) {
        load_window<P>(row, window);
#pragma unroll
        for (int e = 0; e < n; ++e) made[e] = P::is_padded ? -T(0) : weighted(p.across(0), window[shift + e]);
#pragma unroll
        for (int k = P::is_padded ? 0 : 1; k < P::n_across; ++k) {
          if (P::is_padded && (k < p.begin_across || k >= p.end_across)) continue;
#pragma unroll
          for (int e = 0; e < n; ++e) made[e] = plus_weighted<P>(made[e], p.across(k), window[shift + e + k * P::width]);
        }
      }
    }
    store_sums(p, task, own, made, out, begin + row_made, marks + row_made * n);
  };
  for (int row_made = start; row_made < n_rows; row_made += P::ahead) {
#pragma unroll
    for (int k = 0; k < P::ahead; ++k)
      if (row_made + k < n_rows) finish(row_made + k, asked[k]);
  }
  if constexpr (P::has_marks) mend_marked(p, task, own.x, in, out, begin, n_rows, marks);
}

}  // namespace crinkle::kernel
