// Vectors of 16 bytes in plain C++, for machines and compilers of which Highway knows nothing better: two words, and loops that any
// compiler may turn into what it has.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_PORTABLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_PORTABLE_INL
#undef CRINKLE_CPU_PORTABLE_INL
#else
#define CRINKLE_CPU_PORTABLE_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

struct Bytes16 {
  std::array<std::uint64_t, 2> words;
};
template <int N>
using Vec = Bytes16;

template <int N>
HWY_INLINE Bytes16 load(const std::byte* from) {
  Bytes16 v;
  std::memcpy(&v, from, 16);
  return v;
}
template <int N>
HWY_INLINE void store(Bytes16 v, std::byte* to) {
  std::memcpy(to, &v, 16);
}
template <int N>
HWY_INLINE void stream(Bytes16 v, std::byte* to) {
  std::memcpy(to, &v, 16);
}

template <int U>
using Units = std::array<hwy::UnsignedFromSize<static_cast<std::size_t>(U)>, static_cast<std::size_t>(16 / U)>;

// Units first, first+1, … of a and of b in turn.
template <int U>
HWY_INLINE Bytes16 interleaved_from(std::size_t first, Bytes16 a, Bytes16 b) {
  Units<U> x, y, both;
  std::memcpy(&x, &a, 16);
  std::memcpy(&y, &b, 16);
  for (std::size_t i = 0; i < x.size() / 2; ++i) both[2 * i] = x[first + i], both[2 * i + 1] = y[first + i];
  Bytes16 v;
  std::memcpy(&v, &both, 16);
  return v;
}
template <int N, int U>
HWY_INLINE Bytes16 lower(Bytes16 a, Bytes16 b) {
  return interleaved_from<U>(0, a, b);
}
template <int N, int U>
HWY_INLINE Bytes16 upper(Bytes16 a, Bytes16 b) {
  return interleaved_from<U>(8 / U, a, b);
}

template <int N>
HWY_INLINE Bytes16 shuffled(Bytes16 v, Bytes16 places) {
  Units<1> x, at, y;
  std::memcpy(&x, &v, 16);
  std::memcpy(&at, &places, 16);
  for (std::size_t i = 0; i < 16; ++i) y[i] = x[at[i]];
  std::memcpy(&v, &y, 16);
  return v;
}
template <int N>
HWY_INLINE Bytes16 repeated(const std::uint8_t* pattern16) {
  return load<16>(reinterpret_cast<const std::byte*>(pattern16));
}
template <int N, int U>
HWY_INLINE Bytes16 reversed(Bytes16 v) {
  if constexpr (U < 16) {
    Units<U> x, y;
    std::memcpy(&x, &v, 16);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[x.size() - 1 - i];
    std::memcpy(&v, &y, 16);
  }
  return v;
}

// Two words as a vector, and back.
HWY_INLINE Bytes16 vector_of(std::uint64_t low, std::uint64_t high) { return {{low, high}}; }
HWY_INLINE std::array<std::uint64_t, 2> words_of(Bytes16 v) { return v.words; }

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
