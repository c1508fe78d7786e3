// Records of 16 or 32 bytes from as many rows as they have units:
//     out[(i · n_rows + r) · U] = rows[r][i · U],   i < n,   n_rows · U = 16 or 32.
// K = 16/U rows interleave (cpu/vectors-inl.hpp) to vectors c of which block b is 16 bytes of record b·K + c; the blocks are brought into
// order, and records of 32 bytes are pairs of such blocks. Whole vectors of every row only: returns how many records were made.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_JOIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_JOIN_INL
#undef CRINKLE_CPU_JOIN_INL
#else
#define CRINKLE_CPU_JOIN_INL
#endif

#include "cpu/transpose_stream-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// K rows from `at` on: vectors in the order of the records, 16 bytes of each.
template <int N, int U>
HWY_INLINE void join_rows(const std::byte* const* rows, int64 at, Vec<N>* v) {
  constexpr int n = 16 / U;
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) v[i] = load<N>(rows[i] + at);
  interleave<N, U>(v);
#if HWY_TARGET <= HWY_AVX3
  if constexpr (N == 64 && n >= 4) {
#pragma GCC unroll 4
    for (int c = 0; c < n; c += 4) transpose_4x4_blocks(v[c], v[c + 1], v[c + 2], v[c + 3]);
  }
  if constexpr (N == 64 && n == 2) {
    const __m512i a = v[0].raw, b = v[1].raw;
    v[0] = Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), b)};
    v[1] = Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), b)};
  }
#endif
}

// The place in `out` of vector i of N bytes, counted in vectors, of what join_rows made; N = 64.
template <int U>
constexpr int place_of(int i) {
  constexpr int n = 16 / U;
  return n >= 4 ? i % 4 * (n / 4) + i / 4 : i;
}

template <int U, Stores S>
int64 join(const std::byte* const* rows, int64 n_rows, int64 n, std::byte* out) {
  constexpr int N = widest, k = 16 / U;
  const int64 n_groups = n_rows / k, per_step = N / U;
  int64 done = 0;
  for (; done + per_step <= n; done += per_step, out += per_step * n_rows * U) {
    Vecs<N, k> first, second;
    join_rows<N, U>(rows, done * U, first);
    if (n_groups == 2) join_rows<N, U>(rows + k, done * U, second);
#if HWY_TARGET <= HWY_AVX3
    if constexpr (N == 64) {
#pragma GCC unroll 16
      for (int i = 0; i < k; ++i) {
        std::byte* const to = out + place_of<U>(i) * n_groups * 64;
        if (n_groups == 1) {
          put<64, S>(first[i], to);
          continue;
        }
        const __m512i a = first[i].raw, b = second[i].raw;
        put<64, S>(Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), b)}, to);
        put<64, S>(Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), b)}, to + 64);
      }
      continue;
    }
#endif
    if constexpr (N <= 32) {
#pragma GCC unroll 2
      for (int b = 0; b < N / 16; ++b) {
#pragma GCC unroll 16
        for (int c = 0; c < k; ++c) {
          std::byte* const to = out + (b * k + c) * n_groups * 16;
          put<16, S>(block_of<N>(first[c], b), to);
          if (n_groups == 2) put<16, S>(block_of<N>(second[c], b), to + 16);
        }
      }
    }
  }
  return done;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
