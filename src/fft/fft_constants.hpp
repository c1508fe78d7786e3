// cos(2πk/n) and sin(2πk/n) as constants: Taylor's series in long double after reduction to an eighth of a turn, in exact integers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace crinkle::simd::fft_constants {

inline constexpr double half_root = 0.70710678118654752440;  // √½
inline constexpr long double turn = 6.283185307179586476925286766559005768L;

constexpr long double series(long double x, bool is_sine) {
  long double term = is_sine ? x : 1.0L, sum = 0.0L;
  for (int i = is_sine ? 2 : 1; i < 40; i += 2) {
    sum += term;
    term *= -x * x / static_cast<long double>(i * (i + 1));
  }
  return sum;
}

// Angles up to an eighth of a turn, k/n ≤ 1/8, take the series, all others its mirror images.
constexpr double of_turn(std::size_t k, std::size_t n, bool is_sine) {
  k %= n;
  if (2 * k > n) return is_sine ? -of_turn(n - k, n, true) : of_turn(n - k, n, false);
  if (4 * k > n) return is_sine ? of_turn(n - 2 * k, 2 * n, true) : -of_turn(n - 2 * k, 2 * n, false);
  if (8 * k > n) return of_turn(n - 4 * k, 4 * n, !is_sine);
  return static_cast<double>(series(turn * static_cast<long double>(k) / static_cast<long double>(n), is_sine));
}
constexpr double cosine(std::size_t k, std::size_t n) { return of_turn(k, n, false); }
constexpr double sine(std::size_t k, std::size_t n) { return of_turn(k, n, true); }

static_assert(cosine(1, 8) == half_root && sine(3, 8) == half_root && cosine(1, 4) == 0.0 && sine(3, 4) == -1.0 && cosine(1, 3) == -0.5);

}  // namespace crinkle::simd::fft_constants
