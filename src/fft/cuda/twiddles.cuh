// Which lines a block has, and what their numbers are multiplied by: between two stages, between the steps of a chain, and in a first stage
// that is a step of its own. One order of products, whether a thread has a whole butterfly or one number.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "fft/cuda/primes.cuh"

namespace crinkle::fft::kernel {

/// The lines of a block.
struct Block {
  std::int64_t in = 0, out = 0;  // bytes of the first line
  std::int64_t twist = 0;        // c of the first line, and how much it grows from line to line
  int twist_step = 0;
  std::int64_t first = 0;     // of the lanes
  std::uint32_t n_lines = 0;  // that are there
};

/// Of n_loops loops besides the lanes, or of as many as there are.
template <int n_loops = -1, class T>
__device__ inline Block block_of(const CudaLines<T>& lines, std::int64_t index) {
  Block block;
  std::int64_t group = index;
  const int n = n_loops < 0 ? lines.loops.n : n_loops;
  if (n > 0) {
    std::int64_t rest;
    if (lines.n_blocks <= 0xFFFFFFFFll) {
      rest = static_cast<std::uint32_t>(index) / static_cast<std::uint32_t>(lines.n_groups);
    } else {
      rest = index / lines.n_groups;
    }
    group = index - rest * lines.n_groups;
    for (int i = n - 1; i >= 0; --i) {
      const CudaLoop& loop = lines.loops.loops[i];
      std::int64_t above;
      if (lines.n_blocks <= 0xFFFFFFFFll) {
        above = static_cast<std::uint32_t>(rest) / static_cast<std::uint32_t>(loop.extent);
      } else {
        above = rest / loop.extent;
      }
      const std::int64_t at = rest - above * loop.extent;
      block.in += at * loop.in;
      block.out += at * loop.out;
      if (lines.twist_loop == i + 1) block.twist = at;
      rest = above;
    }
  }
  const std::int64_t first = group * lines.n_lanes, left = lines.lane.extent - first;
  block.first = first;
  block.in += first * lines.lane.in;
  block.out += first * lines.lane.out;
  if (lines.twist_loop == 0) {
    block.twist = first;
    block.twist_step = 1;
  }
  block.n_lines = left < lines.n_lanes ? static_cast<std::uint32_t>(left) : static_cast<std::uint32_t>(lines.n_lanes);
  return block;
}

// W^e of lines that are twisted.
template <class T>
__device__ inline Number<T> twist_power(const CudaLines<T>& lines, std::int64_t e) {
  const Number<T> low = entry(lines.twist_low + (e & ((std::int64_t{1} << lines.twist_bits) - 1)));
  return low * entry(lines.twist_high + (e >> lines.twist_bits));
}

__device__ inline std::int64_t twist_of(const Block& block, std::int64_t lane) { return block.twist + lane * block.twist_step; }

// a[k] *= W^k of k < R, from power(b) = W^(2^b).
template <int R, class T, class Power>
__device__ inline void times_powers(Number<T>* a, const Power& power) {
  Number<T> w[R];
  int high = 1, b = 0;  // the highest bit of k
#pragma unroll
  for (int k = 1; k < R; ++k) {
    if ((k & (k - 1)) == 0) {
      high = k;
      w[k] = power(b++);
    } else {
      w[k] = w[high] * w[k - high];
    }
    a[k] = a[k] * w[k];
  }
}

// a[k] *= W^k of k < R, from W, W², W⁴ …: m of each at `from`.
template <int R, class T>
__device__ inline void twiddle(Number<T>* a, const Number<T>* from, std::uint32_t m) {
  Number<T> w[R];
#pragma unroll
  for (int k = 1; k < R; ++k) {
    if ((k & (k - 1)) == 0) {
      w[k] = entry(from);
      from += m;
    } else {
      int high = 1;
#pragma unroll
      for (int b = 1; b < 5; ++b)
        if (1 << b <= k) high = 1 << b;
      w[k] = w[high] * w[k - high];
    }
    a[k] = a[k] * w[k];
  }
}

/// a[k] of butterfly b of line c, which are X[b + k s], before they leave it: times W^{c(b + k s)}.
template <int R, class T>
__device__ __forceinline__ void twist(const CudaLines<T>& lines, std::int64_t c, std::uint32_t b, std::uint32_t s, Number<T>* a) {
  const Number<T> first = twist_power(lines, c * b);
#pragma unroll
  for (int k = 0; k < R; ++k) a[k] = a[k] * first;
  times_powers<R>(a, [&](int power) { return twist_power(lines, (c * s) << power); });
}
/// X[i] of line c alone, by the same products in the same order, those of `twiddle` in a first stage; of a last prime without a butterfly
/// there is one.
template <class T>
__device__ __forceinline__ Number<T> twisted(const CudaLines<T>& lines, std::int64_t c, std::uint32_t i, Number<T> x) {
  const CudaStage& last = lines.stages[(lines.kernel == nullptr ? 1 : 2) * lines.n_stages - 1];  // of two transforms, the second's
  const bool is_first_stage = lines.first_stage_m > 0;
  const Number<T>* const twiddles = lines.tables + last.twiddles + c;
  if (last.sums >= 0) return x * (is_first_stage ? entry(twiddles + i * lines.first_stage_m) : twist_power(lines, c * i));
  const Divided at = divide(i, last.by_s);
  if (!is_first_stage) x = x * twist_power(lines, c * at.remainder);
  Number<T> w{1, 0};
  for (std::uint32_t bit = 0; at.quotient >> bit != 0; ++bit) {
    if ((at.quotient >> bit & 1) == 0) continue;
    const Number<T> power = is_first_stage ? entry(twiddles + bit * lines.first_stage_m) : twist_power(lines, (c * last.s) << bit);
    w = (at.quotient & ((1u << bit) - 1)) == 0 ? power : power * w;
  }
  return at.quotient == 0 ? x : x * w;
}

}  // namespace crinkle::fft::kernel
