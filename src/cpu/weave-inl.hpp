// Woven vectors of 16 bytes (cpu/weave.hpp): a table lookup per piece that makes zeros of what other pieces have, joined by or.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_WEAVE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_WEAVE_INL
#undef CRINKLE_CPU_WEAVE_INL
#else
#define CRINKLE_CPU_WEAVE_INL
#endif

#include <algorithm>

#include "cpu/vectors-inl.hpp"
#include "cpu/weave.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// both | v with byte i of v its byte places[i], or 0 where that is 0x80
HWY_INLINE Vec<16> with_bytes(Vec<16> both, Vec<16> v, Vec<16> places) {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  return hn::Or(both, hn::TableLookupBytesOr0(v, places));
#else
  Units<1> x, at, y;
  std::memcpy(&x, &v, 16);
  std::memcpy(&at, &places, 16);
  std::memcpy(&y, &both, 16);
  for (std::size_t i = 0; i < 16; ++i) y[i] |= at[i] < 16 ? x[at[i]] : std::uint8_t{0};
  std::memcpy(&v, &y, 16);
  return v;
#endif
}

template <Stores S>
void weave(const WeaveProgram& program, const std::byte* const* bases, int64 src_step, int64 n, std::byte* out, int64 out_step) {
  const std::byte* at[Weave::most_bases] = {};
  std::copy_n(bases, program.n_bases, at);
  const auto vector_of_bytes = [](const WovenBytes& bytes) { return load<16>(reinterpret_cast<const std::byte*>(bytes.byte)); };
  for (; n > 0; --n, out += out_step) {
    const WovenPiece* piece = program.pieces.data();
    const WovenBytes* index = program.indexes.data();
    const std::int64_t n_vectors = program.n_vectors();
    for (std::int64_t v = 0; v < n_vectors; ++v) {
      const std::int32_t initial = program.initial_of[static_cast<std::size_t>(v)];
      Vec<16> woven = initial < 0 ? vector_of(0, 0) : vector_of_bytes(program.initials[static_cast<std::size_t>(initial)]);
      for (int p = 0; p < program.n_pieces; ++p, ++piece, ++index)
        woven = with_bytes(woven, load<16>(at[piece->base] + piece->offset), vector_of_bytes(*index));
      if (S == Stores::ordinary && n == 1 && v + 1 == n_vectors) {
        store_part(woven, out + v * 16, program.n_last);
      } else {
        put<16, S>(woven, out + v * 16);
      }
    }
    for (int b = 0; b < program.n_bases; ++b) at[b] += src_step;
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
