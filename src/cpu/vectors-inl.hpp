// Vectors of N = 16, 32 or 64 bytes for the kernels of this folder: whole and partial loads and stores, and the one network they share,
//     interleave:  K = 16/U vectors, vector i holding row b·K + i in its 16-byte block b  ->  vector c holds column c of all rows,
// in log2(K) rounds of pairs (i, i + K/2). Plain C++ where Highway's target has no vectors of 16 bytes or only emulates them.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_VECTORS_INL
#undef CRINKLE_CPU_VECTORS_INL
#else
#define CRINKLE_CPU_VECTORS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu/portable-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using int64 = std::int64_t;

inline constexpr bool has_vectors = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;
inline constexpr int widest = has_vectors ? HWY_MAX_BYTES : 16;
inline constexpr int line = 64;
inline constexpr int band_bytes = has_vectors ? line : 16;  // of a column that one streaming block makes
static_assert(std::endian::native == std::endian::little, "parts of vectors are put together from little-endian words");

template <int U>
using Unit = hwy::UnsignedFromSize<static_cast<std::size_t>(U)>;

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

template <int N>
using Tag = hn::FixedTag<std::uint8_t, static_cast<std::size_t>(N)>;
template <int N>
using Vec = hn::Vec<Tag<N>>;

HWY_INLINE const std::uint8_t* raw(const std::byte* p) { return reinterpret_cast<const std::uint8_t*>(p); }
HWY_INLINE std::uint8_t* raw(std::byte* p) { return reinterpret_cast<std::uint8_t*>(p); }

template <int N>
HWY_INLINE Vec<N> load(const std::byte* from) {
  return hn::LoadU(Tag<N>(), raw(from));
}
template <int N>
HWY_INLINE void store(Vec<N> v, std::byte* to) {
  hn::StoreU(v, Tag<N>(), raw(to));
}
template <int N>
HWY_INLINE void stream(Vec<N> v, std::byte* to) {
  hn::Stream(v, Tag<N>(), raw(to));
}

template <int N, int U>
HWY_INLINE Vec<N> lower(Vec<N> a, Vec<N> b) {
  const hn::Repartition<Unit<U>, Tag<N>> units;
  return hn::BitCast(Tag<N>(), hn::InterleaveLower(units, hn::BitCast(units, a), hn::BitCast(units, b)));
}
template <int N, int U>
HWY_INLINE Vec<N> upper(Vec<N> a, Vec<N> b) {
  const hn::Repartition<Unit<U>, Tag<N>> units;
  return hn::BitCast(Tag<N>(), hn::InterleaveUpper(units, hn::BitCast(units, a), hn::BitCast(units, b)));
}

// Byte i of each block is its byte places[i].
template <int N>
HWY_INLINE Vec<N> shuffled(Vec<N> v, Vec<N> places) {
  return hn::TableLookupBytes(v, places);
}
template <int N>
HWY_INLINE Vec<N> repeated(const std::uint8_t* pattern16) {
  return hn::LoadDup128(Tag<N>(), pattern16);
}
template <int N, int U>
HWY_INLINE Vec<N> reversed(Vec<N> v) {
  if constexpr (U == 16) {
    return hn::ReverseBlocks(Tag<N>(), v);
  } else if constexpr (U == 1) {  // Highway has no reversal of bytes: reverse pairs, then swap the bytes of each
    const hn::Repartition<std::uint16_t, Tag<N>> pairs;
    const auto swapped = hn::Reverse(pairs, hn::BitCast(pairs, v));
    return hn::BitCast(Tag<N>(), hn::Or(hn::ShiftLeft<8>(swapped), hn::ShiftRight<8>(swapped)));
  } else {
    const hn::Repartition<Unit<U>, Tag<N>> units;
    return hn::BitCast(Tag<N>(), hn::Reverse(units, hn::BitCast(units, v)));
  }
}

// Two words as a vector, and back.
HWY_INLINE Vec<16> vector_of(std::uint64_t low, std::uint64_t high) {
  const hn::Repartition<std::uint64_t, Tag<16>> words;
  return hn::BitCast(Tag<16>(), hn::InterleaveLower(words, hn::Set(words, low), hn::Set(words, high)));
}
HWY_INLINE std::array<std::uint64_t, 2> words_of(Vec<16> v) {
  const hn::Repartition<std::uint64_t, Tag<16>> words;
  return {hn::ExtractLane(hn::BitCast(words, v), 0), hn::ExtractLane(hn::BitCast(words, v), 1)};
}

#endif

template <int N, int n>
using Vecs = Vec<N>[static_cast<std::size_t>(n)];

enum class Stores { ordinary, streaming };

template <int N, Stores S>
HWY_INLINE void put(Vec<N> v, std::byte* to) {
  if constexpr (S == Stores::streaming) {
    stream<N>(v, to);
  } else {
    store<N>(v, to);
  }
}

// 64 bytes in registers.
struct Line {
  static constexpr int n_parts = line / widest;
  Vec<widest> part[n_parts];

  HWY_INLINE void store_to(std::byte* to) const {
#pragma GCC unroll 4
    for (int p = 0; p < n_parts; ++p) store<widest>(part[p], to + p * widest);
  }
  HWY_INLINE void stream_to(std::byte* to) const {
#pragma GCC unroll 4
    for (int p = 0; p < n_parts; ++p) stream<widest>(part[p], to + p * widest);
  }
};

// Column c of blocks above each other.
template <int n>
HWY_INLINE Line line_of(const Vecs<widest, n>* v, int c) {
  Line made;
#pragma GCC unroll 4
  for (int p = 0; p < Line::n_parts; ++p) made.part[p] = v[p][c];
  return made;
}

// One piece to two of them by two that may overlap, both read before either is written.
template <class Piece>
HWY_INLINE void copy_ends(const std::byte* from, std::byte* to, int64 n) {
  Piece first, last;
  const int64 end = n - static_cast<int64>(sizeof(Piece));
  std::memcpy(&first, from, sizeof first);
  std::memcpy(&last, from + end, sizeof last);
  std::memcpy(to, &first, sizeof first);
  std::memcpy(to + end, &last, sizeof last);
}
HWY_INLINE void copy_up_to_16(const std::byte* from, std::byte* to, int64 n) {
  if (n >= 8) {
    copy_ends<std::uint64_t>(from, to, n);
  } else if (n >= 4) {
    copy_ends<std::uint32_t>(from, to, n);
  } else if (n >= 2) {
    copy_ends<std::uint16_t>(from, to, n);
  } else if (n > 0) {
    *to = *from;
  }
}

template <class Word>
HWY_INLINE std::uint64_t word_at(const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
template <class Word>
HWY_INLINE void put_word(std::uint64_t bits, std::byte* to) {
  const auto word = static_cast<Word>(bits);
  std::memcpy(to, &word, sizeof word);
}

// The first n of 16 bytes, 1 ≤ n ≤ 16; the others are 0. Without masks: two overlapping words, put together in registers.
HWY_INLINE Vec<16> load_part(const std::byte* from, int64 n) {
#if HWY_TARGET == HWY_AVX3
  return Vec<16>{_mm_maskz_loadu_epi8(static_cast<__mmask16>((1u << n) - 1), from)};
#else
  if (n == 16) return load<16>(from);
  if (n > 8) return vector_of(word_at<std::uint64_t>(from), word_at<std::uint64_t>(from + n - 8) >> (8 * (16 - n)));
  if (n == 8) return vector_of(word_at<std::uint64_t>(from), 0);
  if (n >= 4) return vector_of(word_at<std::uint32_t>(from) | word_at<std::uint32_t>(from + n - 4) << (8 * (n - 4)), 0);
  if (n >= 2) return vector_of(word_at<std::uint16_t>(from) | word_at<std::uint16_t>(from + n - 2) << (8 * (n - 2)), 0);
  return vector_of(word_at<std::uint8_t>(from), 0);
#endif
}

HWY_INLINE void store_part(Vec<16> v, std::byte* to, int64 n) {
#if HWY_TARGET == HWY_AVX3
  _mm_mask_storeu_epi8(to, static_cast<__mmask16>((1u << n) - 1), v.raw);
#else
  if (n == 16) return store<16>(v, to);
  const auto [low, high] = words_of(v);
  if (n >= 8) {
    put_word<std::uint64_t>(low, to);
    if (n > 8) put_word<std::uint64_t>(low >> (8 * (n - 8)) | high << (8 * (16 - n)), to + n - 8);
  } else if (n >= 4) {
    put_word<std::uint32_t>(low, to);
    put_word<std::uint32_t>(low >> (8 * (n - 4)), to + n - 4);
  } else if (n >= 2) {
    put_word<std::uint16_t>(low, to);
    put_word<std::uint16_t>(low >> (8 * (n - 2)), to + n - 2);
  } else {
    put_word<std::uint8_t>(low, to);
  }
#endif
}

// Block b is the 16 bytes at from + b·stride.
template <int N>
HWY_INLINE Vec<N> load_blocks(const std::byte* from, [[maybe_unused]] int64 stride) {
  if constexpr (N == 16) return load<16>(from);
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  if constexpr (N == 32) return hn::Combine(Tag<N>(), load<16>(from + stride), load<16>(from));
#endif
#if HWY_TARGET == HWY_AVX3
  if constexpr (N == 64) {  // a broadcast under a mask leaves the shuffle port free, an insertion does not
    __m512i v = _mm512_castsi128_si512(load<16>(from).raw);
    v = _mm512_mask_broadcast_i32x4(v, 0x00F0, load<16>(from + stride).raw);
    v = _mm512_mask_broadcast_i32x4(v, 0x0F00, load<16>(from + 2 * stride).raw);
    return Vec<64>{_mm512_mask_broadcast_i32x4(v, 0xF000, load<16>(from + 3 * stride).raw)};
  }
#endif
}

// Block b of v.
template <int N>
HWY_INLINE Vec<16> block_of(Vec<N> v, [[maybe_unused]] int b) {
  if constexpr (N == 16) return v;
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  if constexpr (N == 32) return b == 0 ? hn::LowerHalf(Tag<16>(), v) : hn::UpperHalf(Tag<16>(), v);
#endif
#if HWY_TARGET <= HWY_AVX3
  if constexpr (N == 64) {
    switch (b) {
      case 0: return Vec<16>{_mm512_castsi512_si128(v.raw)};
      case 1: return Vec<16>{_mm512_extracti32x4_epi32(v.raw, 1)};
      case 2: return Vec<16>{_mm512_extracti32x4_epi32(v.raw, 2)};
      default: return Vec<16>{_mm512_extracti32x4_epi32(v.raw, 3)};
    }
  }
#endif
}

// K vectors of rows, a power of two up to 16/U, become K vectors of which block b, 16 bytes, has units b·16/U to (b + 1)·16/U of all rows
// in turn, cut into K pieces in the order of the vectors: of K = 16/U rows one column each.
template <int N, int U, int K = 16 / U>
HWY_INLINE void interleave(Vec<N>* v) {
  if constexpr (K > 1) {
    constexpr int n = K;
#pragma GCC unroll 4
    for (int round = 1; round < n; round *= 2) {
      Vecs<N, n> next;
#pragma GCC unroll 8
      for (int i = 0; i < n / 2; ++i) {
        next[2 * i] = lower<N, U>(v[i], v[i + n / 2]);
        next[2 * i + 1] = upper<N, U>(v[i], v[i + n / 2]);
      }
#pragma GCC unroll 16
      for (int i = 0; i < n; ++i) v[i] = next[i];
    }
  }
}

// Runs all rows in bands of N/U, the rest in narrower ones, the last of them shifted back: band.run<N>(row, n) is n bands from `row` on.
// Requires n_rows·U ≥ 16.
template <int N, int U, class Band>
HWY_INLINE void all_rows(const Band& band, int64 row, int64 n_rows) {
  const int64 n_bands = (n_rows - row) * U / N;
  if (n_bands > 0) band.template run<N>(row, n_bands);
  row += n_bands * (N / U);
  if (row == n_rows) return;
  if constexpr (N > 16) {
    if ((n_rows - row) * U <= N / 2 || n_bands == 0) return all_rows<N / 2, U>(band, row, n_rows);
  }
  band.template run<N>(n_rows - N / U, 1);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
