// Roots of unity, rounded once: the angle is reduced to an eighth of a turn in integers, and computed in a wider type.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <type_traits>
#include <utility>

namespace crinkle::fft {

template <class T>
struct Root {
  T re = 1, im = 0;
};

/// exp(−2πi k/n). Requires 0 ≤ k, 0 < n < 2^60.
template <class T>
Root<T> root(std::int64_t k, std::int64_t n) {
  using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;
  k %= n;
  std::int64_t eighth = 8 * k / n;  // k/n = (eighth + rest/n) / 8
  std::int64_t rest = 8 * k - eighth * n;
  const bool is_mirrored = eighth % 2 == 1;
  if (is_mirrored) rest = n - rest;
  const Wide angle = std::numbers::pi_v<Wide> / 4 * (static_cast<Wide>(rest) / static_cast<Wide>(n));
  Wide c = std::cos(angle), s = std::sin(angle);
  const std::int64_t quarter = (eighth + (is_mirrored ? 1 : 0)) / 2;  // k/n = quarter/4 ± angle
  if (is_mirrored) s = -s;
  for (std::int64_t q = 0; q < quarter; ++q) std::tie(c, s) = std::pair<Wide, Wide>(-s, c);
  return {static_cast<T>(c), static_cast<T>(-s)};
}

}  // namespace crinkle::fft
