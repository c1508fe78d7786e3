// One number as it lies in an array, and as it is computed with, the same bits in loops and in kernels. Integers are rounded to the
// nearest, half to even, and saturated, NaN becomes 0; float16 and float32 are rounded to the nearest, half to even.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "crinkle/half.hpp"
#include "crinkle/number.hpp"

namespace crinkle {

/// The number that an element is; T is float or double.
template <class T, class E>
CRINKLE_HD T from_element(E e) {
  return static_cast<T>(e);
}
template <class T>
CRINKLE_HD T from_element(Half half) {
#if defined(__CUDA_ARCH__)  // the hardware's conversions, but for NaN, whose bits are those of the CPU
  if ((half.bits & 0x7FFFu) <= 0x7C00u) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half.bits));
    return static_cast<T>(x);
  }
#endif
  return static_cast<T>(static_cast<float>(half));
}

/// The element that a number becomes.
template <class E, class T>
CRINKLE_HD E to_element(T x) {
  if constexpr (std::is_same_v<E, Half>) {
    const auto narrow = static_cast<float>(x);
#if defined(__CUDA_ARCH__)
    if (narrow == narrow) {
      Half half;
      asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half.bits) : "f"(narrow));
      return half;
    }
#endif
    return Half(narrow);
  } else if constexpr (std::is_integral_v<E>) {
    // 2^(bits − 1) and 2^bits are numbers of float64, what is one less not always.
    constexpr bool is_signed = static_cast<E>(-1) < E{0};
    constexpr int bits = 8 * sizeof(E) - (is_signed ? 1 : 0);
    constexpr double end = static_cast<double>(std::uint64_t{1} << (bits - 1)) * 2, least = is_signed ? -end : 0.0, most = end - 1;
    constexpr E greatest = static_cast<E>(~std::uint64_t{0} >> (64 - bits));
    const auto wide = static_cast<double>(x);
    const double inside = wide < least ? least : wide > most ? most : wide;
    if constexpr (sizeof(E) < 8) {
      constexpr double magic = 0x1.8p52;  // it has a last bit of 1: the sum is rounded to it, half to even
      const double rounded = (inside + magic) - magic;
      return rounded == rounded ? static_cast<E>(rounded) : E{0};
    } else {  // from 2^52 on all numbers are whole
      const double magic = inside < 0 ? -0x1p52 : 0x1p52;
      const double rounded = inside > -0x1p52 && inside < 0x1p52 ? (inside + magic) - magic : inside;
      return rounded >= end ? greatest : rounded == rounded ? static_cast<E>(rounded) : E{0};
    }
  } else {
    return static_cast<E>(x);
  }
}

/// Calls body with an element of the type.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <class Body>
CRINKLE_HD void with_element(Number number, const Body& body) {
  switch (number) {
    case Number::float16: return body(Half{});
    case Number::float32: return body(float{});
    case Number::float64: return body(double{});
    case Number::int8: return body(std::int8_t{});
    case Number::int16: return body(std::int16_t{});
    case Number::int32: return body(std::int32_t{});
    case Number::uint8: return body(std::uint8_t{});
    case Number::uint16: return body(std::uint16_t{});
    case Number::uint32: return body(std::uint32_t{});
    case Number::int64: return body(std::int64_t{});
    case Number::uint64: return body(std::uint64_t{});
  }
}

}  // namespace crinkle
