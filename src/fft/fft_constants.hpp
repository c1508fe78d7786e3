// cos(2πk/n) and sin(2πk/n) as constants: Taylor's series in twice a double's digits after reduction to an eighth of a turn, in exact
// integers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace crinkle::simd::fft_constants {

inline constexpr double half_root = 0.70710678118654752440;  // √½
/// high + low, of twice a double's digits: the same in every compiler, of which some have no longer type.
struct Twice {
  double high = 0, low = 0;
};
constexpr Twice sum(double a, double b) {
  const double s = a + b, of_b = s - a;
  return {s, (a - (s - of_b)) + (b - of_b)};
}
constexpr Twice product(double a, double b) {
  constexpr double half_digits = 134217729.0;  // 2^27 + 1
  const double of_a = half_digits * a, a_high = of_a - (of_a - a), a_low = a - a_high;
  const double of_b = half_digits * b, b_high = of_b - (of_b - b), b_low = b - b_high, p = a * b;
  return {p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low};
}
constexpr Twice operator+(const Twice& a, const Twice& b) {
  const Twice s = sum(a.high, b.high);
  return sum(s.high, s.low + (a.low + b.low));
}
constexpr Twice operator*(const Twice& a, const Twice& b) {
  const Twice p = product(a.high, b.high);
  return sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
constexpr Twice operator/(const Twice& a, double b) {
  const double q = a.high / b;
  const Twice p = product(q, b);
  return sum(q, ((a.high - p.high) - p.low + a.low) / b);
}
inline constexpr Twice turn{6.283185307179586, 2.4492935982947064e-16};

constexpr double series(const Twice& x, bool is_sine) {
  Twice term = is_sine ? x : Twice{1.0, 0.0}, all;
  for (int i = is_sine ? 2 : 1; i < 32; i += 2) {
    all = all + term;
    const Twice next = term * x * x / static_cast<double>(i * (i + 1));
    term = {-next.high, -next.low};
  }
  return all.high;
}

// Angles up to an eighth of a turn, k/n ≤ 1/8, take the series, all others its mirror images.
constexpr double of_turn(std::size_t k, std::size_t n, bool is_sine) {
  k %= n;
  if (2 * k > n) return is_sine ? -of_turn(n - k, n, true) : of_turn(n - k, n, false);
  if (4 * k > n) return is_sine ? of_turn(n - 2 * k, 2 * n, true) : -of_turn(n - 2 * k, 2 * n, false);
  if (8 * k > n) return of_turn(n - 4 * k, 4 * n, !is_sine);
  return series(turn * Twice{static_cast<double>(k), 0.0} / static_cast<double>(n), is_sine);
}
constexpr double cosine(std::size_t k, std::size_t n) { return of_turn(k, n, false); }
constexpr double sine(std::size_t k, std::size_t n) { return of_turn(k, n, true); }

static_assert(cosine(1, 8) == half_root && sine(3, 8) == half_root && cosine(1, 4) == 0.0 && sine(3, 4) == -1.0 && cosine(1, 3) == -0.5);

}  // namespace crinkle::simd::fft_constants
