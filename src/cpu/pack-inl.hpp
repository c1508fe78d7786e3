// Elements from anywhere near, one after the other: blocks of short runs are put together in the caches.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_PACK_INL
#undef CRINKLE_CPU_PACK_INL
#else
#define CRINKLE_CPU_PACK_INL
#endif

#include <cstring>

#include "cpu/rows-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// Elements of at most N bytes, each stored with what lies behind it, over the end of the one before.
template <int N>
void pack_words(const std::byte* in, const std::int32_t* offsets, int64 n, int64 element, std::byte* out) {
#pragma GCC unroll 4
  for (int64 i = 0; i < n; ++i, out += element) std::memcpy(out, in + offsets[i], N);
}

// Elements of one piece to two.
template <class Piece>
void pack_ends(const std::byte* in, const std::int32_t* offsets, int64 n, int64 element, std::byte* out) {
#pragma GCC unroll 4
  for (int64 i = 0; i < n; ++i, out += element) copy_ends<Piece>(in + offsets[i], out, element);
}

inline void pack(const std::byte* in, const std::int32_t* offsets, int64 n, int64 element, std::byte* out) {
  constexpr int half_line = widest < 32 ? 16 : 32;
  if (element == 1) return pack_words<1>(in, offsets, n, 1, out);
  if (element == 2) return pack_words<2>(in, offsets, n, 2, out);
  if (element <= 4) return pack_words<4>(in, offsets, n, element, out);
  if (element <= 8) return pack_words<8>(in, offsets, n, element, out);
  if (element <= 16) return pack_words<16>(in, offsets, n, element, out);
  if (element <= 32) return pack_ends<Vec<16>>(in, offsets, n, element, out);
  if (element <= 2 * half_line) return pack_ends<Vec<half_line>>(in, offsets, n, element, out);
  for (int64 i = 0; i < n; ++i, out += element) copy(in + offsets[i], out, element);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
