// A vector of 64 bytes is eight matrices, byte 8g + k being row k of matrix g. Transposed and its bytes brought from 8g + k to 8k + g, its
// 64-bit words are eight bytes each of planes 0 … 7; eight vectors, transposed as a matrix of such words, are a line of each plane. Every
// step is its own inverse, so the way back is the same steps in the other order.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/bit_matrices.hpp"

#include <algorithm>
#include <cstring>

#include "cpu/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace crinkle::simd {
namespace {

constexpr std::int64_t line = BitMatrices::line, line_bytes = BitMatrices::line_bytes;

// The address is a number: there may be no planes there, and then nothing happens.
inline void fetch_line(const std::byte* planes, std::int64_t stride, std::int64_t l) {
  const auto first = reinterpret_cast<std::uintptr_t>(planes);
  for (int k = 0; k < 8; ++k)
    __builtin_prefetch(reinterpret_cast<const std::byte*>(first + static_cast<std::uintptr_t>(k * stride + l * line)));
}

// Bit c of byte r becomes bit r of byte c, whichever end of the word is byte 0.
inline std::uint64_t transposed(std::uint64_t x) {
  std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAu;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCu;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0u;
  return x ^ t ^ (t << 28);
}

void transpose_each_portable(std::byte* words, std::int64_t n_words) {
  for (std::int64_t i = 0; i < n_words; ++i) {
    std::uint64_t x = 0;
    std::memcpy(&x, words + 8 * i, 8);
    x = transposed(x);
    std::memcpy(words + 8 * i, &x, 8);
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) inline __m256i swapped(__m256i x, int apart, std::int64_t mask) {
  const __m256i t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64(x, apart)), _mm256_set1_epi64x(mask));
  return _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64(t, apart)));
}

__attribute__((target("avx2"))) void transpose_each_avx2(std::byte* words, std::int64_t n_words) {
  for (std::int64_t i = 0; i < n_words; i += 4) {
    auto* at = reinterpret_cast<__m256i*>(words + 8 * i);
    const __m256i x = swapped(swapped(_mm256_loadu_si256(at), 7, 0x00AA00AA00AA00AA), 14, 0x0000CCCC0000CCCC);
    _mm256_storeu_si256(at, swapped(x, 28, 0x00000000F0F0F0F0));
  }
}
#endif

constexpr std::int64_t most_lines = 8;  // in a buffer of 4 KiB

using TransposeEach = void (*)(std::byte* words, std::int64_t n_words);  // n_words a multiple of 64

template <TransposeEach transpose_each>
void to_planes_by_swaps(const std::byte* in, std::int64_t n_lines, std::byte* out, std::int64_t out_stride) {
  alignas(64) std::byte matrices[most_lines * line_bytes];
  for (std::int64_t l = 0; l < n_lines; l += most_lines) {
    const std::int64_t n = std::min(most_lines, n_lines - l);
    std::memcpy(matrices, in + l * line_bytes, static_cast<std::size_t>(n * line_bytes));
    transpose_each(matrices, n * line);
    kernels().transpose[0](matrices, 8, n * line, 8, out + l * line, out_stride);
  }
}

template <TransposeEach transpose_each>
void to_bytes_by_swaps(const std::byte* in, std::int64_t in_stride, std::int64_t n_lines, std::byte* out, const std::byte* next) {
  for (std::int64_t l = 0; l < n_lines; l += most_lines) {
    const std::int64_t n = std::min(most_lines, n_lines - l);
    for (std::int64_t i = l; i < l + n; ++i) fetch_line(next, in_stride, i);
    kernels().transpose[0](in + l * line, in_stride, 8, n * line, out + l * line_bytes, 8);
    transpose_each(out + l * line_bytes, n * line);
  }
}

#if defined(__x86_64__)
#define CRINKLE_GFNI __attribute__((target("avx512f,avx512bw,avx512vbmi,gfni")))

struct Turns {
  __m512i units, bytes;
};

CRINKLE_GFNI inline Turns turns() {
  alignas(64) std::uint8_t bytes[64];
  for (int i = 0; i < 64; ++i) bytes[i] = static_cast<std::uint8_t>(8 * (i % 8) + i / 8);
  return {_mm512_set1_epi64(static_cast<long long>(0x8040201008040201u)), _mm512_load_si512(bytes)};
}

// Byte c of `units` is 2^c: as a vector it picks column c of a matrix, whose row r gives bit 7 − r; as a matrix it turns the bits round.
CRINKLE_GFNI inline __m512i transposed(__m512i matrices, const Turns& by) {
  return _mm512_gf2p8affine_epi64_epi8(_mm512_gf2p8affine_epi64_epi8(by.units, matrices, 0), by.units, 0);
}

// Word j of v[i] to word i of v[j].
CRINKLE_GFNI inline void transpose_words(__m512i (&v)[8]) {
  __m512i w[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    w[i] = _mm512_unpacklo_epi64(v[i], v[i + 1]);
    w[i + 1] = _mm512_unpackhi_epi64(v[i], v[i + 1]);
  }
  // w[i] holds words (i mod 2) + 0, 2, 4, 6 of rows i/2·2 and the next, in pairs; the pairs are a 4×4 matrix for each i mod 2.
#pragma GCC unroll 2
  for (int o = 0; o < 2; ++o) {
    const __m512i a = _mm512_shuffle_i64x2(w[o], w[o + 2], 0x44), b = _mm512_shuffle_i64x2(w[o], w[o + 2], 0xEE);
    const __m512i c = _mm512_shuffle_i64x2(w[o + 4], w[o + 6], 0x44), d = _mm512_shuffle_i64x2(w[o + 4], w[o + 6], 0xEE);
    v[o] = _mm512_shuffle_i64x2(a, c, 0x88);
    v[o + 2] = _mm512_shuffle_i64x2(a, c, 0xDD);
    v[o + 4] = _mm512_shuffle_i64x2(b, d, 0x88);
    v[o + 6] = _mm512_shuffle_i64x2(b, d, 0xDD);
  }
}

CRINKLE_GFNI void to_planes_gfni(const std::byte* in, std::int64_t n_lines, std::byte* out, std::int64_t out_stride) {
  const Turns by = turns();
  for (std::int64_t l = 0; l < n_lines; ++l) {
    __m512i v[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
      v[i] = _mm512_permutexvar_epi8(by.bytes, transposed(_mm512_loadu_si512(in + l * line_bytes + i * line), by));
    transpose_words(v);
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) _mm512_storeu_si512(out + k * out_stride + l * line, v[k]);
  }
}

CRINKLE_GFNI void to_bytes_gfni(const std::byte* in, std::int64_t in_stride, std::int64_t n_lines, std::byte* out, const std::byte* next) {
  const Turns by = turns();
  for (std::int64_t l = 0; l < n_lines; ++l) {
    __m512i v[8];
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) v[k] = _mm512_loadu_si512(in + k * in_stride + l * line);
    fetch_line(next, in_stride, l);
    transpose_words(v);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
      _mm512_storeu_si512(out + l * line_bytes + i * line, transposed(_mm512_permutexvar_epi8(by.bytes, v[i]), by));
  }
}
#undef CRINKLE_GFNI

bool has_gfni() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("gfni");
}
#endif

std::vector<const BitMatrices*> find_all() {
  static constexpr BitMatrices portable{"portable", to_planes_by_swaps<transpose_each_portable>,
                                        to_bytes_by_swaps<transpose_each_portable>};
  std::vector<const BitMatrices*> all;
#if defined(__x86_64__)
  static constexpr BitMatrices avx2{"AVX2", to_planes_by_swaps<transpose_each_avx2>, to_bytes_by_swaps<transpose_each_avx2>};
  static constexpr BitMatrices gfni{"GFNI", to_planes_gfni, to_bytes_gfni};
  if (has_gfni()) all.push_back(&gfni);
  if (__builtin_cpu_supports("avx2")) all.push_back(&avx2);
#endif
  all.push_back(&portable);
  return all;
}

}  // namespace

const BitMatrices& bit_matrices() {
  static const BitMatrices* const best = find_all().front();
  return *best;
}

std::vector<const BitMatrices*> all_bit_matrices() { return find_all(); }

}  // namespace crinkle::simd
