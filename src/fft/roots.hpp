// Roots of unity, rounded once: the angle is reduced to an eighth of a turn in integers, and computed in a wider type.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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

/// Many roots of one n in float64: products of two of 2 √n in long double, so that one of a thousand may be the second nearest number.
class Roots {
 public:
  explicit Roots(std::int64_t n) {
    while (step_ * step_ < n) step_ *= 2;
    for (std::int64_t i = 0; i < step_; ++i) low_.push_back(root<long double>(i, n));
    for (std::int64_t i = 0; i * step_ < n; ++i) high_.push_back(root<long double>(i * step_, n));
  }
  /// Requires 0 ≤ k < n.
  Root<double> of(std::int64_t k) const {
    const Root<long double>&a = low_[static_cast<std::size_t>(k % step_)], &b = high_[static_cast<std::size_t>(k / step_)];
    return {static_cast<double>(a.re * b.re - a.im * b.im), static_cast<double>(a.re * b.im + a.im * b.re)};
  }

 private:
  std::int64_t step_ = 1;
  std::vector<Root<long double>> low_, high_;
};

}  // namespace crinkle::fft
