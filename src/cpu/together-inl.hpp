// Records put together in the caches, straight to memory: K = 16/U rows interleave (cpu/vectors-inl.hpp) to vectors c of which block b is
// 16 bytes of record b·K + c, and every block is a store of its own, so that records may be as long as they like.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_TOGETHER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_TOGETHER_INL
#undef CRINKLE_CPU_TOGETHER_INL
#else
#define CRINKLE_CPU_TOGETHER_INL
#endif

#include <algorithm>

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// The last group of rows begins early enough to be whole. Where a record is shorter than a block, the next record's comes over what is too
// much.
template <int U>
int64 together(const std::byte* const* rows, int64 n_rows, int64 n, std::byte* out) {
  constexpr int N = widest, k = 16 / U, per_step = N / U;
  const int64 record = n_rows * U, past = record < 16 ? (16 - 1) / record : 0;
  int64 done = 0;
  for (; done + per_step + past <= n; done += per_step) {
    for (int64 g = 0; g < n_rows; g += k) {
      const int64 first = std::max<int64>(0, std::min(g, n_rows - k));
      Vecs<N, k> v;
#pragma GCC unroll 16
      for (int i = 0; i < k; ++i) v[i] = load<N>(rows[std::min(first + i, n_rows - 1)] + done * U);
      interleave<N, U>(v);
      std::byte* to = out + done * record + first * U;
#pragma GCC unroll 4
      for (int b = 0; b < N / 16; ++b) {
#pragma GCC unroll 16
        for (int c = 0; c < k; ++c, to += record) store<16>(block_of<N>(v[c], b), to);
      }
    }
  }
  return done;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
