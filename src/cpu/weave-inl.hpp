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

// Vectors first ≤ v < last of the period whose bases are `at`; the period's last vector, where it is wanted whole, to its last byte.
template <Stores S>
HWY_INLINE void weave_period(const WeaveProgram& program, const std::byte* const* at, int64 first, int64 last, bool is_whole,
                             std::byte* out) {
  const auto vector_of_bytes = [](const WovenBytes& bytes) { return load<16>(reinterpret_cast<const std::byte*>(bytes.byte)); };
  const WovenPiece* piece = program.pieces.data() + first * program.n_pieces;
  const WovenBytes* index = program.indexes.data() + first * program.n_pieces;
  for (int64 v = first; v < last; ++v, out += 16) {
    const std::int32_t initial = program.initial_of[static_cast<std::size_t>(v)];
    Vec<16> woven = initial < 0 ? vector_of(0, 0) : vector_of_bytes(program.initials[static_cast<std::size_t>(initial)]);
    for (int p = 0; p < program.n_pieces; ++p, ++piece, ++index)
      woven = with_bytes(woven, load<16>(at[piece->base] + piece->offset), vector_of_bytes(*index));
    if (is_whole && v + 1 == program.n_vectors()) {
      store_part(woven, out, program.n_last);
    } else {
      put<16, S>(woven, out);
    }
  }
}

inline void weave_part(const WeaveProgram& program, const std::byte* const* bases, int64 first, int64 last, std::byte* out) {
  weave_period<Stores::ordinary>(program, bases, first, last, true, out);
}

template <Stores S>
void weave(const WeaveProgram& program, const std::byte* const* bases, int64 n, std::byte* out, int64 out_step) {
  const std::byte* at[Weave::most_bases] = {};
  std::copy_n(bases, program.n_bases, at);
  for (; n > 0; --n, out += out_step) {
    weave_period<S>(program, at, 0, program.n_vectors(), S == Stores::ordinary && n == 1, out);
    for (int b = 0; b < program.n_bases; ++b) at[b] += program.steps[static_cast<std::size_t>(b)];
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
