// Vectors of 64 bytes that follow each other from any byte of a line on, as whole lines, for processors with AVX-512 VBMI. Everything here
// is inlined into functions of that target.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu/kernels.hpp"

#define CRINKLE_VBMI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi")))
#define CRINKLE_VBMI_INLINE inline CRINKLE_VBMI __attribute__((always_inline))

namespace crinkle::simd::vbmi {

inline constexpr std::size_t width = 64;
inline constexpr std::int64_t vector_bytes = 64;

// 0, 1, 2 … for the lanes of two vectors
template <class T>
inline constexpr auto counted = [] {
  std::array<T, 2 * width / sizeof(T)> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(i);
  return numbers;
}();

// Vectors that begin at byte `phase` of a line: a line has the end of one and the beginning of the next.
class Phase {
 public:
  CRINKLE_VBMI_INLINE explicit Phase(std::int64_t phase) : phase_(phase), by_words_(phase % 4 == 0) {
    lanes_ = by_words_ ? _mm512_loadu_si512(counted<std::uint32_t>.data() + (vector_bytes - phase) / 4)
                       : _mm512_loadu_si512(counted<std::uint8_t>.data() + (vector_bytes - phase));
  }
  CRINKLE_VBMI_INLINE __m512i line_of(__m512i before, __m512i v) const {
    if (phase_ == 0) return v;
    return by_words_ ? _mm512_permutex2var_epi32(before, lanes_, v) : _mm512_permutex2var_epi8(before, lanes_, v);
  }
  std::int64_t bytes() const { return phase_; }

 private:
  std::int64_t phase_;
  bool by_words_;
  __m512i lanes_;
};

// The address is made as a number: it may lie outside of every array, where a prefetch does nothing.
inline const std::byte* address_at(const std::byte* p, std::int64_t distance) {
  return reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(distance));
}

// Vectors that follow each other, stored as whole lines but for the first and the last; lines are fetched `ahead` bytes before, 0 for none.
class Stored {
 public:
  CRINKLE_VBMI_INLINE Stored(const FieldLines& to, std::int64_t ahead)
      : line_(to.line), ahead_(ahead), phase_(to.phase), first_(~__mmask64{0} << to.phase) {}
  CRINKLE_VBMI_INLINE void put(__m512i v) {
    if (ahead_ != 0) __builtin_prefetch(address_at(line_, ahead_), 1, 3);
    if (phase_.bytes() == 0) {
      _mm512_storeu_si512(line_, v);
    } else {
      _mm512_mask_storeu_epi8(line_, first_, phase_.line_of(before_, v));
      first_ = ~__mmask64{0};
    }
    before_ = v;
    line_ += vector_bytes;
  }
  CRINKLE_VBMI_INLINE void finish() {
    if (phase_.bytes() != 0) _mm512_mask_storeu_epi8(line_, (__mmask64{1} << phase_.bytes()) - 1, phase_.line_of(before_, before_));
  }

 private:
  std::byte* line_;
  std::int64_t ahead_;
  Phase phase_;
  __mmask64 first_;
  __m512i before_ = _mm512_setzero_si512();
};

// Lines leave by streaming stores; the last bytes wait.
class Streamed {
 public:
  CRINKLE_VBMI_INLINE Streamed(const FieldLines& to, std::int64_t)
      : line_(to.line), kept_(to.waiting + to.phase - vector_bytes), phase_(to.phase), before_(_mm512_loadu_si512(kept_)) {}
  CRINKLE_VBMI_INLINE void put(__m512i v) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(line_), phase_.line_of(before_, v));
    before_ = v;
    line_ += vector_bytes;
  }
  CRINKLE_VBMI_INLINE void finish() {
    if (phase_.bytes() != 0) _mm512_storeu_si512(kept_, before_);
  }

 private:
  std::byte *line_, *kept_;
  Phase phase_;
  __m512i before_;
};

}  // namespace crinkle::simd::vbmi
#endif
