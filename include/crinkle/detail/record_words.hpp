// Bytes between memory and registers by the widest words that an address allows: 16, 8, 4, 2, 1. A device has one instruction for each; a
// host's compiler makes what it likes of a copy of known length. (See records.hpp, the header to include.)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/hd.hpp"
#include "crinkle/detail/record_form.hpp"

namespace crinkle::detail {

#if defined(__CUDA_ARCH__)
// nvcc lets a pointer to any type name any bytes, as all code with float4 expects.
template <std::int64_t Bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using Type = unsigned char;
};
template <>
struct WordOf<2> {
  using Type = unsigned short;
};
template <>
struct WordOf<4> {
  using Type = unsigned int;
};
template <>
struct WordOf<8> {
  using Type = uint2;
};
template <>
struct WordOf<16> {
  using Type = uint4;
};
#endif

/// One word of so many bytes. Requires: the address in memory is a multiple of that.
template <std::int64_t Bytes>
CRINKLE_HD inline void load_word(unsigned char* word, const unsigned char* memory) {
#if defined(__CUDA_ARCH__)
  const typename WordOf<Bytes>::Type loaded = *reinterpret_cast<const typename WordOf<Bytes>::Type*>(memory);
  __builtin_memcpy(word, &loaded, static_cast<std::size_t>(Bytes));
#else
  __builtin_memcpy(word, memory, static_cast<std::size_t>(Bytes));
#endif
}

template <std::int64_t Bytes>
CRINKLE_HD inline void store_word(unsigned char* memory, const unsigned char* word) {
#if defined(__CUDA_ARCH__)
  typename WordOf<Bytes>::Type stored;
  __builtin_memcpy(&stored, word, static_cast<std::size_t>(Bytes));
  *reinterpret_cast<typename WordOf<Bytes>::Type*>(memory) = stored;
#else
  __builtin_memcpy(memory, word, static_cast<std::size_t>(Bytes));
#endif
}

/// Bytes [0, Bytes) in words of Word, what is left in shorter ones. Requires: memory is a multiple of Word, a power of two up to 16.
template <std::int64_t Bytes, std::int64_t Word>
CRINKLE_HD inline void load_bytes(unsigned char* words, const unsigned char* memory) {
  constexpr std::int64_t whole = Bytes / Word * Word;
  CRINKLE_UNROLL for (std::int64_t at = 0; at < whole; at += Word) load_word<Word>(words + at, memory + at);
  if constexpr (whole < Bytes) load_bytes<Bytes - whole, Word / 2>(words + whole, memory + whole);
}

template <std::int64_t Bytes, std::int64_t Word>
CRINKLE_HD inline void store_bytes(unsigned char* memory, const unsigned char* words) {
  constexpr std::int64_t whole = Bytes / Word * Word;
  CRINKLE_UNROLL for (std::int64_t at = 0; at < whole; at += Word) store_word<Word>(memory + at, words + at);
  if constexpr (whole < Bytes) store_bytes<Bytes - whole, Word / 2>(memory + whole, words + whole);
}

}  // namespace crinkle::detail
