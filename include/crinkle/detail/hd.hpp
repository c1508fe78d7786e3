// This header holds what host and device code share: CRINKLE_HD marks a function that both may call, Array is the plain array that
// a kernel takes as a parameter, Divisor divides by multiplying,
//     n / d = (t + ((n − t) >> s1)) >> s2,   t = ⌊m·n / 2^W⌋,   m = ⌊2^W·(2^l − d) / d⌋ + 1,   l = ⌈log2 d⌉,
// exactly for every n and every d ≥ 1 of W = 32 or 64 bits (Granlund and Montgomery, "Division by Invariant Integers using
// Multiplication", 1994, figure 4.1). Only integer types are included; plain nvcc compiles it without flags.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define CRINKLE_HD __host__ __device__
#else
#define CRINKLE_HD
#endif

// Before a loop of few iterations that a kernel shall have one after the other.
#if defined(__CUDA_ARCH__)
#define CRINKLE_UNROLL _Pragma("unroll")
#else
#define CRINKLE_UNROLL
#endif

namespace crinkle {

/// N values side by side, N ≥ 1: an aggregate, trivially copyable whenever T is.
template <class T, int N>
struct Array {
  static_assert(N >= 1, "an Array holds at least one value");
  T items[static_cast<std::size_t>(N)];

  CRINKLE_HD static constexpr int size() { return N; }
  CRINKLE_HD constexpr T& operator[](int i) { return items[i]; }
  CRINKLE_HD constexpr const T& operator[](int i) const { return items[i]; }
  CRINKLE_HD constexpr T* begin() { return items; }
  CRINKLE_HD constexpr T* end() { return items + N; }
  CRINKLE_HD constexpr const T* begin() const { return items; }
  CRINKLE_HD constexpr const T* end() const { return items + N; }

  CRINKLE_HD friend constexpr bool operator==(const Array& a, const Array& b) {
    for (int i = 0; i < N; ++i)
      if (!(a.items[i] == b.items[i])) return false;
    return true;
  }
  CRINKLE_HD friend constexpr bool operator!=(const Array& a, const Array& b) { return !(a == b); }
};

/// The same value N times.
template <int N, class T>
CRINKLE_HD constexpr Array<T, N> filled(const T& value) {
  Array<T, N> result{};
  for (T& item : result) item = value;
  return result;
}

namespace detail {

template <class A, class B>
struct Same {
  static constexpr bool value = false;
};
template <class A>
struct Same<A, A> {
  static constexpr bool value = true;
};

/// ⌊a·b / 2^64⌋ from four products of 32-bit halves, for compilers without a 128-bit integer.
CRINKLE_HD constexpr std::uint64_t multiply_high_by_halves(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t half = 0xFFFFFFFFu;
  const std::uint64_t a_low = a & half, a_high = a >> 32, b_low = b & half, b_high = b >> 32;
  const std::uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);  // at most 2^64 − 2^32: no carry is lost
  return a_high * b_high + (middle >> 32) + (((middle & half) + a_low * b_high) >> 32);
}

/// ⌊a·b / 2^32⌋.
CRINKLE_HD constexpr std::uint32_t multiply_high(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(a) * b) >> 32);
}

/// ⌊a·b / 2^64⌋.
CRINKLE_HD constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#else
  return multiply_high_by_halves(a, b);
#endif
}

}  // namespace detail

template <class K>
struct Division {
  K quotient;
  K remainder;
};

/// An integer to divide by, prepared once (64 steps at most), used as often as wanted at the price of one multiplication.
/// Requires: value ≥ 1; 0 is taken as 1, so that no division can trap.
template <class K>
class Divisor {
  static_assert(detail::Same<K, std::uint32_t>::value || detail::Same<K, std::uint64_t>::value, "K is std::uint32_t or std::uint64_t");
  static constexpr int width = static_cast<int>(8 * sizeof(K));

 public:
  constexpr Divisor() = default;

  CRINKLE_HD constexpr explicit Divisor(K value) : value_(value == 0 ? K(1) : value) {
    int log2 = 0;  // l, rounded up
    while (log2 < width && (K(1) << log2) < value_) ++log2;
    K remainder = static_cast<K>((log2 == width ? K(0) : K(1) << log2) - value_);  // 2^l − d < d
    K quotient = 0;
    for (int bit = 0; bit < width; ++bit) {  // long division of remainder·2^W by d
      const bool carries = (remainder >> (width - 1)) != 0;
      remainder = static_cast<K>(remainder << 1);
      quotient = static_cast<K>(quotient << 1);
      if (carries || remainder >= value_) {
        remainder = static_cast<K>(remainder - value_);
        quotient |= K(1);
      }
    }
    multiplier_ = quotient + 1;
    first_shift_ = static_cast<std::uint8_t>(log2 == 0 ? 0 : 1);
    second_shift_ = static_cast<std::uint8_t>(log2 == 0 ? 0 : log2 - 1);
  }

  CRINKLE_HD constexpr K value() const { return value_; }

  /// n / value().
  CRINKLE_HD constexpr K quotient(K n) const {
    const K t = detail::multiply_high(multiplier_, n);
    return (t + ((n - t) >> first_shift_)) >> second_shift_;
  }

  /// n % value().
  CRINKLE_HD constexpr K remainder(K n) const { return n - quotient(n) * value_; }

  /// Both at once.
  CRINKLE_HD constexpr Division<K> divide(K n) const {
    const K q = quotient(n);
    return {q, static_cast<K>(n - q * value_)};
  }

 private:
  K value_ = 1;
  K multiplier_ = 1;
  std::uint8_t first_shift_ = 0;
  std::uint8_t second_shift_ = 0;
};

}  // namespace crinkle
