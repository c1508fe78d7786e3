// Overflow-checked 64-bit arithmetic: every extent and stride multiplies through here, so a size that does not fit is
// `too_large` before anything is allocated.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numeric>
#include <string>

#include "crinkle/error.hpp"

namespace crinkle {

[[noreturn]] inline void throw_overflow(std::int64_t a, const char* op, std::int64_t b) {
  throw Error(ErrorCode::too_large, std::to_string(a) + ' ' + op + ' ' + std::to_string(b) + " does not fit 64 bits");
}

inline std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw_overflow(a, "*", b);
  return product;
}

inline std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw_overflow(a, "+", b);
  return sum;
}

inline std::int64_t subtract(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) throw_overflow(a, "-", b);
  return difference;
}

/// a + b·c
inline std::int64_t add_product(std::int64_t a, std::int64_t b, std::int64_t c) { return add(a, multiply(b, c)); }

/// The remainder in [0, n), also for a negative a. Requires n > 0.
inline std::int64_t modulo(std::int64_t a, std::int64_t n) {
  const std::int64_t r = a % n;
  return r < 0 ? r + n : r;
}

/// ⌊a / n⌋, also for a negative a. Requires n > 0.
inline std::int64_t floor_divide(std::int64_t a, std::int64_t n) { return a / n - (a % n < 0 ? 1 : 0); }

/// ⌈a / n⌉. Requires n > 0.
inline std::int64_t ceil_divide(std::int64_t a, std::int64_t n) { return a / n + (a % n > 0 ? 1 : 0); }

__extension__ using Int128 = __int128;  // products of two 64-bit numbers

/// a·b mod n for 0 ≤ a, b < n.
inline std::int64_t multiply_modulo(std::int64_t a, std::int64_t b, std::int64_t n) {
  return static_cast<std::int64_t>(static_cast<Int128>(a) * b % n);
}

}  // namespace crinkle
