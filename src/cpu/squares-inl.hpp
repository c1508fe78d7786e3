// Transposition by vectors of 64 bytes: squares of 64/U rows and columns in registers, U = 4, 8 or 16, whose source lines are
// loaded whole,
//     interleave inside 16-byte blocks, then transpose the 4 × 4 blocks: 64 shuffles for 16 × 16 of 4 bytes, 24 for 8 × 8 of 8, 8 for 4 × 4
// and whole lines where columns begin anywhere in a line: a line is the end of a column's last 64 bytes and the beginning of the next.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_SQUARES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_SQUARES_INL
#undef CRINKLE_CPU_SQUARES_INL
#else
#define CRINKLE_CPU_SQUARES_INL
#endif

#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3
// Vector b becomes the blocks b of all four.
HWY_INLINE void transpose_4x4_blocks(Vec<64>& a, Vec<64>& b, Vec<64>& c, Vec<64>& d) {
  constexpr int even = 0x88, odd = 0xDD;
  const __m512i ab_even = _mm512_shuffle_i32x4(a.raw, b.raw, even), ab_odd = _mm512_shuffle_i32x4(a.raw, b.raw, odd);
  const __m512i cd_even = _mm512_shuffle_i32x4(c.raw, d.raw, even), cd_odd = _mm512_shuffle_i32x4(c.raw, d.raw, odd);
  a = Vec<64>{_mm512_shuffle_i32x4(ab_even, cd_even, even)};
  b = Vec<64>{_mm512_shuffle_i32x4(ab_odd, cd_odd, even)};
  c = Vec<64>{_mm512_shuffle_i32x4(ab_even, cd_even, odd)};
  d = Vec<64>{_mm512_shuffle_i32x4(ab_odd, cd_odd, odd)};
}

// v[g][i] is row g·16/U + i; becomes v[b][c], column b·16/U + c.
template <int U>
HWY_INLINE void turn_square(Vecs<64, 16 / U>* v) {
  constexpr int n = 16 / U;
#pragma GCC unroll 4
  for (int g = 0; g < 4; ++g) interleave<64, U>(v[g]);
#pragma GCC unroll 4
  for (int c = 0; c < n; ++c) transpose_4x4_blocks(v[0][c], v[1][c], v[2][c], v[3][c]);
}

// (kept, v)[64 − phase … 127 − phase] in bytes; phase a multiple of 4 where U is.
template <int U>
HWY_INLINE __m512i joined(__m512i kept, __m512i v, int phase) {
  const __m512i iota = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const int first = line - phase;
  const __m512i from = _mm512_add_epi32(iota, _mm512_set1_epi32(first / 4));
  const __m512i words = _mm512_permutex2var_epi32(kept, from, v);
  if (U >= 4 || first % 4 == 0) return words;
  const __m512i next = _mm512_permutex2var_epi32(kept, _mm512_add_epi32(from, _mm512_set1_epi32(1)), v);
  const int bits = first % 4 * 8;
  return _mm512_or_si512(_mm512_srlv_epi32(words, _mm512_set1_epi32(bits)), _mm512_sllv_epi32(next, _mm512_set1_epi32(32 - bits)));
}

// The place of 64 bytes of some columns: they go to column + at; only `bytes` of them are there.
struct Shifted {
  int64 at, bytes;
  bool begins, ends;  // the columns

  static std::uint64_t low(int64 n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

  // Between a column's ends: whole lines.
  template <int U>
  HWY_INLINE void join(const Line& v, std::byte* column, std::byte* kept) const {
    const auto phase = static_cast<int>(reinterpret_cast<std::uintptr_t>(column) % line);
    stream<64>(Vec<64>{joined<U>(_mm512_load_si512(kept), v.part[0].raw, phase)}, column - phase + at);
    v.store_to(kept);
  }

  // `kept` is where the column's last 64 bytes wait for the next.
  template <int U>
  HWY_INLINE void put(const Line& v, std::byte* column, std::byte* kept) const {
    const auto phase = static_cast<int>(reinterpret_cast<std::uintptr_t>(column) % line);
    if (phase == 0 && bytes == line) return v.stream_to(column + at);
    if (!begins && !ends) return join<U>(v, column, kept);
    std::byte* const to = column - phase + at;
    const __m512i whole = joined<U>(_mm512_load_si512(kept), v.part[0].raw, phase);
    v.store_to(kept);
    const int64 there = phase + bytes;  // from the line's beginning on
    _mm512_mask_storeu_epi8(to, low(there) & (begins ? ~std::uint64_t{0} << phase : ~std::uint64_t{0}), whole);
    if (ends && there > line) _mm512_mask_storeu_epi8(to + line, low(there - line), joined<U>(v.part[0].raw, v.part[0].raw, phase));
  }
};
#endif

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
