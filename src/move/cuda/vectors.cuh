// Words of every unit and vectors of 16 bytes: loaded, stored, shifted together, turned round. Kernels that are compiled at run time
// include this, too.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tile/swizzle.hpp"

namespace crinkle::kernel {

using tile::Vector;

template <int bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using type = std::uint8_t;
};
template <>
struct WordOf<2> {
  using type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using type = uint2;
};
template <>
struct WordOf<16> {
  using type = uint4;
};
template <int bytes>
using Word = typename WordOf<bytes>::type;

template <class T>
__device__ inline T load(const char* from) {
  return __ldg(reinterpret_cast<const T*>(from));
}
/// To global memory, and said to be: where the compiler cannot see it, it takes a generic store, which sends sectors in parts and costs a
/// fifth of the bandwidth.
template <class T>
__device__ inline void store(char* to, const T& value) {
  __stwb(reinterpret_cast<T*>(to), value);
}
__device__ inline Vector load_vector(const char* from) {
  const uint4 v = load<uint4>(from);
  return {{v.x, v.y, v.z, v.w}};
}
/// A vector that no other thread reads, past the first cache.
__device__ inline uint4 load_once(const char* from) { return __ldcg(reinterpret_cast<const uint4*>(from)); }
__device__ inline Vector load_vector_once(const char* from) {
  const uint4 v = load_once(from);
  return {{v.x, v.y, v.z, v.w}};
}
__device__ inline uint4 packed(const Vector& v) { return {v.word[0], v.word[1], v.word[2], v.word[3]}; }

/// Sixteen bytes of the thirty-two, `shift` bytes from their beginning.
__device__ inline Vector shifted(const Vector& low, const Vector& high, int shift) {
  std::uint32_t w[8] = {low.word[0], low.word[1], low.word[2], low.word[3], high.word[0], high.word[1], high.word[2], high.word[3]};
#pragma unroll
  for (int i = 0; i < 6; ++i) w[i] = (shift & 8) != 0 ? w[i + 2] : w[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) w[i] = (shift & 4) != 0 ? w[i + 1] : w[i];
  Vector v;
#pragma unroll
  for (int i = 0; i < 4; ++i) v.word[i] = __funnelshift_r(w[i], w[i + 1], 8 * (shift & 3));
  return v;
}

/// The units in reverse order.
template <int unit>
__device__ inline Vector turned(const Vector& v) {
  if constexpr (unit == 16) return v;
  if constexpr (unit == 8) return {{v.word[2], v.word[3], v.word[0], v.word[1]}};
  constexpr std::uint32_t order = unit == 4 ? 0x3210 : unit == 2 ? 0x1032 : 0x0123;
  Vector t;
#pragma unroll
  for (int i = 0; i < 4; ++i) t.word[i] = __byte_perm(v.word[3 - i], 0, order);
  return t;
}

template <int unit>
union Units {
  static constexpr int n = 16 / unit;
  Word<unit> unit_of[n];
  uint4 all;
};

}  // namespace crinkle::kernel
