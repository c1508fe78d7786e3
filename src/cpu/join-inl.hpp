// Records of a power of two bytes, up to 32, from as many rows as they have units:
//     out[(i · n_rows + r) · U] = rows[r][i · U],   i < n.
// K = min(n_rows, 16/U) rows interleave (cpu/vectors-inl.hpp) to vectors c of which block b is piece b·K + c, 16 bytes, of what the N bytes
// of every row make; the blocks are brought into order, and records of 32 bytes are pairs of such blocks. Whole vectors of every row only:
// returns how many records were made.
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

#if HWY_TARGET <= HWY_AVX3
// Blocks of two vectors in turn: a0 b0 a1 b1 and a2 b2 a3 b3.
HWY_INLINE void interleave_blocks(Vec<64>& first, Vec<64>& second) {
  const __m512i a = first.raw, b = second.raw;
  first = Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), b)};
  second = Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), b)};
}
#endif

// K rows from `at` on: vectors in the order of the records, 16 bytes of records each.
template <int N, int U, int K>
HWY_INLINE void join_rows(const std::byte* const* rows, int64 at, Vec<N>* v) {
#pragma GCC unroll 16
  for (int i = 0; i < K; ++i) v[i] = load<N>(rows[i] + at);
  interleave<N, U, K>(v);
#if HWY_TARGET <= HWY_AVX3
  if constexpr (N == 64 && K >= 4) {
#pragma GCC unroll 4
    for (int c = 0; c < K; c += 4) transpose_4x4_blocks(v[c], v[c + 1], v[c + 2], v[c + 3]);
  }
  if constexpr (N == 64 && K == 2) interleave_blocks(v[0], v[1]);
#endif
}

// The place in `out` of vector i of 64 bytes, counted in vectors, of what join_rows made.
template <int K>
constexpr int place_of(int i) {
  return K >= 4 ? i % 4 * (K / 4) + i / 4 : i;
}

// Records of K rows, or of two groups of K rows, 16 bytes of each.
template <int U, Stores S, int K, int n_groups>
int64 join_groups(const std::byte* const* rows, int64 n, std::byte* out) {
  constexpr int N = widest, per_step = N / U;
  int64 done = 0;
  for (; done + per_step <= n; done += per_step, out += N * K * n_groups) {
    Vecs<N, K> first, second;
    join_rows<N, U, K>(rows, done * U, first);
    if constexpr (n_groups == 2) join_rows<N, U, K>(rows + K, done * U, second);
#if HWY_TARGET <= HWY_AVX3
    if constexpr (N == 64) {
#pragma GCC unroll 16
      for (int i = 0; i < K; ++i) {
        std::byte* const to = out + place_of<K>(i) * n_groups * 64;
        if constexpr (n_groups == 2) {
          interleave_blocks(first[i], second[i]);
          put<64, S>(second[i], to + 64);
        }
        put<64, S>(first[i], to);
      }
    }
#endif
    if constexpr (N <= 32) {
#pragma GCC unroll 2
      for (int b = 0; b < N / 16; ++b) {
#pragma GCC unroll 16
        for (int c = 0; c < K; ++c) {
          std::byte* const to = out + (b * K + c) * n_groups * 16;
          put<16, S>(block_of<N>(first[c], b), to);
          if constexpr (n_groups == 2) put<16, S>(block_of<N>(second[c], b), to + 16);
        }
      }
    }
  }
  return done;
}

template <int U, Stores S, int K>
int64 join_all(const std::byte* const* rows, int64 n_rows, int64 n, std::byte* out) {
  if constexpr (K * U == 16) {
    if (n_rows == 2 * K) return join_groups<U, S, K, 2>(rows, n, out);
    return n_rows == K ? join_groups<U, S, K, 1>(rows, n, out) : 0;
  } else {
    return n_rows == K ? join_groups<U, S, K, 1>(rows, n, out) : join_all<U, S, 2 * K>(rows, n_rows, n, out);
  }
}

template <int U, Stores S>
int64 join(const std::byte* const* rows, int64 n_rows, int64 n, std::byte* out) {
  constexpr int least_rows = U == 16 ? 1 : 2;
  return join_all<U, S, least_rows>(rows, n_rows, n, out);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
