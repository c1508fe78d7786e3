// Records of 8, 16 or 32 bytes from as many rows as they have units:
//     out[(i · n_rows + r) · U] = rows[r][i · U],   i < n,   n_rows · U = 8, 16 or 32.
// K = 16/U rows interleave (cpu/vectors-inl.hpp) to vectors c of which block b is 16 bytes of record b·K + c; the blocks are brought into
// order, records of 32 bytes are pairs of such blocks, and records of 8 bytes the halves of blocks from two places of each row. Whole
// vectors of every row only: returns how many records were made.
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
  if constexpr (N == 64 && n == 2) interleave_blocks(v[0], v[1]);
#endif
}

// The place in `out` of vector i of N bytes, counted in vectors, of what join_rows made; N = 64.
template <int U>
constexpr int place_of(int i) {
  constexpr int n = 16 / U;
  return n >= 4 ? i % 4 * (n / 4) + i / 4 : i;
}

// Records of 8 bytes: block r holds record r of the first N bytes of every row and record r of the next N.
template <int U, Stores S>
int64 join_8(const std::byte* const* rows, int64 n, std::byte* out) {
  constexpr int N = widest, k = 16 / U, half = N / U * 8;
  int64 done = 0;
  for (; done + 2 * N / U <= n; done += 2 * N / U, out += 2 * half) {
    const std::byte* both[static_cast<std::size_t>(k)];
    for (int64 i = 0; i < k; ++i) both[i] = i < k / 2 ? rows[i] : rows[i - k / 2] + N;
    Vecs<N, k> v;
    join_rows<N, U>(both, done * U, v);
#if HWY_TARGET <= HWY_AVX3
    if constexpr (N == 64) {
      Vecs<N, k> sorted;
#pragma GCC unroll 16
      for (int i = 0; i < k; ++i) sorted[place_of<U>(i)] = v[i];
#pragma GCC unroll 8
      for (int i = 0; i < k / 2; ++i) {
        const __m512i a = sorted[2 * i].raw, b = sorted[2 * i + 1].raw;
        put<64, S>(Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0), b)}, out + 64 * i);
      }
#pragma GCC unroll 8
      for (int i = 0; i < k / 2; ++i) {
        const __m512i a = sorted[2 * i].raw, b = sorted[2 * i + 1].raw;
        put<64, S>(Vec<64>{_mm512_permutex2var_epi64(a, _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1), b)}, out + half + 64 * i);
      }
      continue;
    }
#endif
    if constexpr (N <= 32) {
#pragma GCC unroll 2
      for (int b = 0; b < N / 16; ++b) {
#pragma GCC unroll 16
        for (int c = 0; c < k; ++c) {
          const auto [first, second] = words_of(block_of<N>(v[c], b));
          put_word<std::uint64_t>(first, out + (b * k + c) * 8);
          put_word<std::uint64_t>(second, out + half + (b * k + c) * 8);
        }
      }
    }
  }
  return done;
}

template <int U, Stores S>
int64 join(const std::byte* const* rows, int64 n_rows, int64 n, std::byte* out) {
  constexpr int N = widest, k = 16 / U;
  if constexpr (U < 8) {
    if (n_rows * U == 8) return join_8<U, S>(rows, n, out);
  }
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
        interleave_blocks(first[i], second[i]);
        put<64, S>(first[i], to);
        put<64, S>(second[i], to + 64);
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
