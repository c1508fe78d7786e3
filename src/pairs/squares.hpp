// Squares may leave a type's range: this says where, and how far numbers are brought for them to stay in it: by powers of two, which change
// no digit.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace crinkle {

/// A sum of squares is plain from `least` on, as far as it is finite: squares that underflowed are too small to count. What makes
/// another one is multiplied by `up` where it is less, by `down` where it is infinite.
template <class T>
struct SquareRange {
  static constexpr T least = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();  // 2^−103, 2^−970
  static constexpr T most = std::numeric_limits<T>::max(), infinity = std::numeric_limits<T>::infinity();
  static constexpr T up = sizeof(T) == 4 ? T(0x1p100) : T(0x1p700), down = T{1} / up;
};

/// Between which sizes numbers lie; zeros, infinities and NaNs do not count. Without others both are 0.
struct Sizes {
  double least = 0, most = 0;
};
template <class T>
Sizes sizes_of(const void* numbers, std::int64_t n) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr auto infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  Bits least = infinity, most = 0;  // positive numbers are in the order of their bits
  for (std::int64_t k = 0; k < n; ++k) {
    Bits bits;
    std::memcpy(&bits, static_cast<const std::byte*>(numbers) + k * static_cast<std::int64_t>(sizeof(T)), sizeof bits);
    bits &= std::numeric_limits<Bits>::max() >> 1;
    const Bits of_most = bits < infinity ? bits : 0, of_least = of_most == 0 ? infinity : of_most;
    most = of_most > most ? of_most : most;
    least = of_least < least ? of_least : least;
  }
  if (most == 0) return {};
  return {static_cast<double>(std::bit_cast<T>(least)), static_cast<double>(std::bit_cast<T>(most))};
}

/// Whether no square of a difference of two such numbers underflows, and no sum of so many squares overflows.
template <class T>
bool squares_stay(const Sizes& sizes, std::int64_t n_squares) {
  using Limits = std::numeric_limits<T>;
  if (sizes.most == 0) return true;
  const double least = std::sqrt(static_cast<double>(Limits::min())) / static_cast<double>(Limits::epsilon());
  return sizes.least >= least && sizes.most <= std::ldexp(1.0, Limits::max_exponent / 2 - 2) / std::sqrt(static_cast<double>(n_squares));
}

/// Whether the square of the sum of any two radii is plain.
template <class T>
bool radii_are_plain(const T* radii, std::int64_t n) {
  const T least = std::sqrt(SquareRange<T>::least), most = std::sqrt(SquareRange<T>::most) / 4;
  std::int64_t n_small = 0;  // a single one is always added to a larger one
  for (std::int64_t k = 0; k < n; ++k) {
    if (radii[k] > most) return false;
    n_small += radii[k] < least ? 1 : 0;
  }
  return n_small < 2;
}

/// Triplets: points are multiplied by 2^exponent, which brings the largest coordinate, `most`, below 2^12 in float32, 2^100 in float64.
/// Then no term underflows, and those of points that are near each other have the most room. 2^exponent is finite.
template <class T>
int triplet_exponent(double most) {
  constexpr int wanted = sizeof(T) == 4 ? 12 : 100;
  return most == 0 ? 0 : std::min(wanted - 1 - std::ilogb(most), std::numeric_limits<T>::max_exponent - 2);
}
/// The energy, a sum of terms 1/r⁹, from that of the points multiplied so.
inline double energy_of_scaled(double energy, int exponent) { return std::scalbn(energy, 9 * exponent); }

}  // namespace crinkle
