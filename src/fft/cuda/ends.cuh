// The ends of a transform on a GPU: numbers from elements of any layout, and elements from numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/half.hpp"
#include "fft/cuda/butterflies.cuh"

namespace crinkle::fft::kernel {

// float16 by the instructions themselves: kernels that are compiled later may find no header of them. On a CPU, where tests walk through
// kernels (tests/kernels), by Half.
#ifndef __CUDACC__
inline float of_half(unsigned short bits) { return __builtin_bit_cast(Half, bits); }
inline unsigned short half_of(float x) { return Half(x).bits; }
#else
__device__ inline float of_half(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
__device__ inline unsigned short half_of(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
#endif

// To global memory, and said to be (move/cuda/words.cuh).
__device__ inline void put(float* to, float value) { __stwb(to, value); }
__device__ inline void put(double* to, double value) { __stwb(to, value); }
__device__ inline void put(Number<float>* to, const Number<float>& value) {
  __stwb(reinterpret_cast<float2*>(to), make_float2(value.re, value.im));
}
__device__ inline void put(Number<double>* to, const Number<double>& value) {
  __stwb(reinterpret_cast<double2*>(to), make_double2(value.re, value.im));
}

// A table's number.
__device__ inline Number<float> entry(const Number<float>* from) {
  const float2 v = __ldg(reinterpret_cast<const float2*>(from));
  return {v.x, v.y};
}
__device__ inline Number<double> entry(const Number<double>* from) {
  const double2 v = __ldg(reinterpret_cast<const double2*>(from));
  return {v.x, v.y};
}

// Two of them, the first at a multiple of both.
__device__ inline void two_entries(const Number<float>* from, Number<float>* to) {
  const float4 v = __ldg(reinterpret_cast<const float4*>(from));
  to[0] = {v.x, v.y};
  to[1] = {v.z, v.w};
}
__device__ inline void two_entries(const Number<double>* from, Number<double>* to) {
  to[0] = entry(from);
  to[1] = entry(from + 1);
}

template <class T>
__device__ inline T part(const char* from, int unit, int part_bytes) {
  if constexpr (sizeof(T) == 4) {
    if (part_bytes == 2) {
      unsigned bits = static_cast<unsigned char>(from[0]);
      if (unit >= 2) bits = *reinterpret_cast<const unsigned short*>(from);
      else bits |= static_cast<unsigned>(static_cast<unsigned char>(from[1])) << 8;
      return of_half(static_cast<unsigned short>(bits));
    }
  }
  if (unit >= static_cast<int>(sizeof(T))) return *reinterpret_cast<const T*>(from);
  T value;
  auto* bytes = reinterpret_cast<char*>(&value);
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(T)); ++i) bytes[i] = from[i];
  return value;
}
template <class T>
__device__ inline void put_part(T value, char* to, int unit, int part_bytes) {
  if constexpr (sizeof(T) == 4) {
    if (part_bytes == 2) {
      const unsigned short bits = half_of(value);
      if (unit >= 2) {
        __stwb(reinterpret_cast<unsigned short*>(to), bits);
      } else {
        to[0] = static_cast<char>(bits & 0xFF);
        to[1] = static_cast<char>(bits >> 8);
      }
      return;
    }
  }
  if (unit >= static_cast<int>(sizeof(T))) return put(reinterpret_cast<T*>(to), value);
  const auto* bytes = reinterpret_cast<const char*>(&value);
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(T)); ++i) to[i] = bytes[i];
}

/// A number whose parts follow each other, at a multiple of its bytes.
template <class T>
__device__ inline Number<T> whole_number(const char* from, int part_bytes) {
  if constexpr (sizeof(T) == 4) {
    if (part_bytes == 2) {
      const unsigned bits = *reinterpret_cast<const unsigned*>(from);
      return {of_half(static_cast<unsigned short>(bits)), of_half(static_cast<unsigned short>(bits >> 16))};
    }
  }
  return *reinterpret_cast<const Number<T>*>(from);
}
template <class T>
__device__ inline void put_whole_number(const Number<T>& x, char* to, int part_bytes) {
  if constexpr (sizeof(T) == 4) {
    if (part_bytes == 2) { return __stwb(reinterpret_cast<unsigned*>(to), static_cast<unsigned>(half_of(x.im)) << 16 | half_of(x.re)); }
  }
  put(reinterpret_cast<Number<T>*>(to), x);
}

/// How far an element's place is from its number.
__device__ inline std::int64_t turned(std::int64_t j, std::int64_t shift, std::int64_t n) { return j + shift < n ? shift : shift - n; }
__device__ inline std::int64_t place_of(std::int64_t j, std::int64_t shift, std::int64_t n) { return j + turned(j, shift, n); }

/// X[j], of which the imaginary part is as it shall come in; 0 behind n_in, which is −0 there where others are negated (`stage`,
/// lines.cuh).
template <class T>
__device__ inline Number<T> element(const CudaEnds<T>& ends, const char* line, std::int64_t j) {
  if (j >= ends.n_in) return {0, T{0} * ends.im_in};
  const char* const from = line + place_of(j, ends.in_shift, ends.n_in) * ends.in;
  Number<T> x;
  if (ends.in_unit == 2 * ends.in_part) x = whole_number<T>(from, ends.in_part);
  else x = {part<T>(from, ends.in_unit, ends.in_part), part<T>(from + ends.in_part, ends.in_unit, ends.in_part)};
  x.im *= ends.im_in;
  return x;
}

template <class T>
__device__ inline T real_element(const CudaEnds<T>& ends, const char* line, std::int64_t j) {
  return j < ends.n_in ? part<T>(line + place_of(j, ends.in_shift, ends.n_in) * ends.in, ends.in_unit, ends.in_part) : T{0};
}

// Between a real line's transform and that of its pairs, both ways: places k and n − k, k ≤ n/2, of what is made of a and c, the numbers
// there; a + conj c + u (a − conj c).
template <class T>
__device__ __forceinline__ void fold(const Number<T>& a, const Number<T>& c, const Number<T>& u, Number<T>* at_k, Number<T>* at_other) {
  const Number<T> sum = a + conj(c), turned = u * (a - conj(c));
  *at_k = sum + turned;
  *at_other = conj(sum - turned);
}
/// Place k ≤ n alone, from the numbers number(i) and the table.
template <class T, class Numbers>
__device__ __forceinline__ Number<T> folded(const Number<T>* table, std::int64_t k, std::int64_t n, const Numbers& number) {
  const std::int64_t h = 2 * k > n ? n - k : k;
  Number<T> x, other;
  fold(number(h), number(n - h), entry(table + h), &x, &other);
  return h == k ? x : other;
}

/// Whether places h and n − h, h ≤ n/2, are read or written together.
template <class T>
__device__ inline bool are_folded_in(const CudaEnds<T>& ends) {
  return ends.in_kind == CudaIn::folded && ends.chirp_in == nullptr;
}
template <class T>
__device__ inline bool are_folded_out(const CudaEnds<T>& ends) {
  return ends.out_kind == CudaOut::folded && ends.chirp_out == nullptr;
}

/// Numbers h and n − h of the transform, of a real line's transform.
template <class T>
__device__ __forceinline__ void folded_in(const CudaEnds<T>& ends, const char* line, std::int64_t h, Number<T>* at_h, Number<T>* at_other) {
  Number<T> a = element(ends, line, h), c = element(ends, line, ends.n - h);
  if (h == 0) a.im = c.im = 0;
  fold(a, c, entry(ends.fold + h), at_h, at_other);
}

/// Number j < n of the transform.
template <class T>
__device__ inline Number<T> number_in(const CudaEnds<T>& ends, const char* line, std::int64_t j) {
  Number<T> x;
  switch (ends.in_kind) {
    case CudaIn::numbers: x = element(ends, line, j); break;
    case CudaIn::pairs:
      if (ends.in_unit == 2 * ends.in_part && 2 * j + 1 < ends.n_in) {
        x = whole_number<T>(line + 2 * j * ends.in, ends.in_part);
      } else {
        x = {real_element(ends, line, 2 * j), real_element(ends, line, 2 * j + 1)};
      }
      break;
    case CudaIn::reals: x = {real_element(ends, line, j), 0}; break;
    case CudaIn::folded:
      x = folded(ends.fold, j, ends.n, [&](std::int64_t i) {
        Number<T> a = element(ends, line, i);
        if (j == 0) a.im = 0;
        return a;
      });
      break;
    case CudaIn::mirrored:
      x = 2 * j < ends.n ? element(ends, line, j) : conj(element(ends, line, ends.n - j));
      if (j == 0) x.im = 0;
      break;
  }
  return ends.chirp_in == nullptr ? x : x * entry(ends.chirp_in + j);
}

/// Writes element k, a complex number.
template <class T>
__device__ __forceinline__ void put_element(const CudaEnds<T>& ends, char* line, std::int64_t k, const Number<T>& value) {
  const Number<T> x{value.re * ends.re, value.im * ends.im};
  char* const to = line + place_of(k, ends.out_shift, ends.n_out) * ends.out;
  if (ends.out_unit == 2 * ends.out_part) return put_whole_number(x, to, ends.out_part);
  put_part(x.re, to, ends.out_unit, ends.out_part);
  put_part(x.im, to + ends.out_part, ends.out_unit, ends.out_part);
}

/// Writes place k of the result, whose number i is get(i).
template <class T, class Get>
__device__ inline void put_number(const CudaEnds<T>& ends, char* line, std::int64_t k, const Get& get) {
  const auto value = [&](std::int64_t i) {
    const Number<T> x = get(i);
    return ends.chirp_out == nullptr ? x : conj(x) * entry(ends.chirp_out + i);
  };
  Number<T> x;
  if (ends.out_kind == CudaOut::folded) {
    x = folded(ends.fold, k, ends.n, [&](std::int64_t i) { return value(i == ends.n ? 0 : i); });
  } else {
    x = value(k);
  }
  x = {x.re * ends.re, x.im * ends.im};
  if (ends.out_kind == CudaOut::halves && k == 0) x.im = 0;
  const auto to = [&](std::int64_t i) { return line + place_of(i, ends.out_shift, ends.n_out) * ends.out; };
  if (ends.out_kind == CudaOut::reals) return put_part(x.re, to(k), ends.out_unit, ends.out_part);
  const bool is_pair = ends.out_kind == CudaOut::pairs;
  char* const first = to(is_pair ? 2 * k : k);
  if (ends.out_unit == 2 * ends.out_part) return put_whole_number(x, first, ends.out_part);
  put_part(x.re, first, ends.out_unit, ends.out_part);
  put_part(x.im, is_pair ? to(2 * k + 1) : first + ends.out_part, ends.out_unit, ends.out_part);
}

}  // namespace crinkle::fft::kernel
