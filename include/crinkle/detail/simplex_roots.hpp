// Row and layer of a cell from its number w, exactly, by a root that need not be exact:
//     row:    T(i) ≤ w < T(i + 1)     means  i + 1/2 ≤ √(2w + 1/4) < i + 3/2,
//     layer:  Tet(i) ≤ w < Tet(i + 1) means  i + 1 ≤ y < i + 2 with y³ − y = 6w;  ∛(6w + 1) is less than 0.1 from y.
// A seed that errs by less than 1/2 (of the layer, 2/5) therefore rounds down to i or i + 1, and one comparison, with T or Tet modulo 2^W,
// settles which. There is no ε, and no seed whose error may be of either sign does harm: --use_fast_math changes nothing.
// Errors of the seeds of √x at the top, x = 2^(W + 1): float 2^−22·2^16.5 = 0.02, double below 10^−5, and of three Newton steps from the
// magic number in double 3.2·10^−11·2^32.5 = 0.2. Hence all are exact for every w of W bits.
// Source: Navarro, Bustos and Hitschfeld, sections 3, 4.1 and 6; their forms for the strict triangle and the tetrahedron are misprinted,
// and their ε = 10^−4 holds up to 30 720 rows only. The magic number in double is M. Robertson's, "A brief history of InvSqrt", 2012.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/simplex_cells.hpp"

namespace crinkle {

// A seed is computed in float for 32-bit numbers and in double for 64-bit ones. Device code asks for the rounding that it wants, as flags
// may change what plain functions do.
namespace detail {

template <class K>
struct NumberFor;
template <>
struct NumberFor<std::uint32_t> {
  using Type = float;
};
template <>
struct NumberFor<std::uint64_t> {
  using Type = double;
};
template <class K>
using Number = typename NumberFor<K>::Type;

CRINKLE_HD inline float square_root(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}
CRINKLE_HD inline double square_root(double x) {
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}
CRINKLE_HD inline float reciprocal_root(float x) {
#if defined(__CUDA_ARCH__)
  return rsqrtf(x);
#else
  return 1.0f / __builtin_sqrtf(x);
#endif
}
CRINKLE_HD inline double reciprocal_root(double x) {
#if defined(__CUDA_ARCH__)
  return rsqrt(x);
#else
  return 1.0 / __builtin_sqrt(x);
#endif
}
/// About 1/√x, 3.4 % off: half the exponent, negated, by one subtraction from a magic number.
CRINKLE_HD inline float magic_root(float x) {
#if defined(__CUDA_ARCH__)
  return __int_as_float(0x5F3759DF - (__float_as_int(x) >> 1));
#else
  return __builtin_bit_cast(float, 0x5F3759DFu - (__builtin_bit_cast(std::uint32_t, x) >> 1));
#endif
}
CRINKLE_HD inline double magic_root(double x) {
#if defined(__CUDA_ARCH__)
  return __longlong_as_double(0x5FE6EB50C7B537A9LL - (__double_as_longlong(x) >> 1));
#else
  return __builtin_bit_cast(double, std::uint64_t{0x5FE6EB50C7B537A9u} - (__builtin_bit_cast(std::uint64_t, x) >> 1));
#endif
}
CRINKLE_HD inline float cube_root(float x) {
#if defined(__CUDA_ARCH__)
  return cbrtf(x);
#else
  return __builtin_cbrtf(x);
#endif
}
CRINKLE_HD inline double cube_root(double x) {
#if defined(__CUDA_ARCH__)
  return cbrt(x);
#else
  return __builtin_cbrt(x);
#endif
}
CRINKLE_HD inline double power(double x, double exponent) {
#if defined(__CUDA_ARCH__)
  return pow(x, exponent);
#else
  return __builtin_pow(x, exponent);
#endif
}

}  // namespace detail

// The roots to choose from. `last<K>` is the largest w for which row and column are exact.

/// λ_X: the square root, rounded to nearest.
struct SquareRoot {
  static constexpr const char* name = "lambda_x";
  static constexpr const char* balanced_name = "lambda_x_balanced";
  template <class K>
  static constexpr K last = ~K(0);
  template <class Real>
  CRINKLE_HD static Real root(Real x) {
    return detail::square_root(x);
  }
};

/// λ_N: x/√x, of which 1/√x by three of Newton's steps from the magic number.
struct NewtonRoot {
  static constexpr const char* name = "lambda_n";
  static constexpr const char* balanced_name = "lambda_n_balanced";
  template <class K>
  static constexpr K last = ~K(0);
  template <class Real>
  CRINKLE_HD static Real root(Real x) {
    const Real half = Real(0.5) * x;
    Real y = detail::magic_root(x);
    y *= Real(1.5) - half * y * y;
    y *= Real(1.5) - half * y * y;
    y *= Real(1.5) - half * y * y;
    return x * y;
  }
};

/// λ_R: x/√x, of which 1/√x is one instruction of a GPU.
struct ReciprocalRoot {
  static constexpr const char* name = "lambda_r";
  static constexpr const char* balanced_name = "lambda_r_balanced";
  template <class K>
  static constexpr K last = ~K(0);
  template <class Real>
  CRINKLE_HD static Real root(Real x) {
    return x * detail::reciprocal_root(x);
  }
};

/// Integers only, bit by bit: T(i + 2^b) − T(i) = 2^b·i + T(2^b) is taken from w where it fits. Neither multiplies nor divides.
struct IntegerRoot {
  static constexpr const char* name = "lambda_integer";
  static constexpr const char* balanced_name = "lambda_integer_balanced";
  template <class K>
  static constexpr K last = ~K(0);
};

namespace detail {

template <class K>
CRINKLE_HD constexpr PairOf<K> row_by_bits(K w) {
  K i = 0;
  for (int bit = bit_width(w) / 2; bit >= 0; --bit) {
    const K more = static_cast<K>((i << bit) + triangle_number(static_cast<K>(K(1) << bit)));
    if (w < more) continue;
    w -= more;
    i += K(1) << bit;
  }
  return {i, w};
}

/// Requires s = i or i + 1, i the row of w.
template <class K>
CRINKLE_HD constexpr PairOf<K> settle_row(K w, K s) {
  const K offset = w - triangle_number(s);  // −s ≤ offset < 0 if s is one too many
  return is_below_zero(offset) ? PairOf<K>{s - 1, static_cast<K>(offset + s)} : PairOf<K>{s, offset};
}

/// Row and column of cell w of the triangle with its diagonal.
template <class Root, class K>
CRINKLE_HD constexpr PairOf<K> row_and_column(K w) {
  static_assert(IsIndex<K>::value, "a number of a cell is a std::uint32_t or a std::uint64_t");
  if constexpr (Same<Root, IntegerRoot>::value) {
    return row_by_bits(w);
  } else {
    if (__builtin_is_constant_evaluated()) return row_by_bits(w);
    using Real = Number<K>;
    return settle_row(w, static_cast<K>(Root::root(Real(2) * static_cast<Real>(w) + Real(0.25))));
  }
}

/// Whether C(c, l) > w.
template <int l, class K>
CRINKLE_HD constexpr bool is_above(K c, K w) {
  const K count = binomial<l>(c);
  return count > w || count == static_cast<K>(~K(0));
}

/// The largest c with C(c, l) ≤ w. Requires l ≥ 3.
template <int l, class Root, class K>
CRINKLE_HD constexpr K last_with_binomial(K w) {
  if constexpr (!Same<Root, IntegerRoot>::value) {
    if (!__builtin_is_constant_evaluated()) {
      if constexpr (l == 3) {
        using Real = Number<K>;
        const K s = static_cast<K>(cube_root(Real(6) * static_cast<Real>(w) + Real(1)) - Real(0.5));  // the layer, or one more
        return s + (is_below_zero(static_cast<K>(w - tetrahedron_number(s))) ? K(1) : K(2));
      } else {  // C(c, l) is about (c − (l − 1)/2)^l / l!
        double factorial = 1;
        for (int q = 2; q <= l; ++q) factorial *= q;
        K c = static_cast<K>(power(factorial * static_cast<double>(w), 1.0 / l) + (l - 1) * 0.5);
        while (is_above<l>(c, w)) --c;
        while (!is_above<l>(static_cast<K>(c + 1), w)) ++c;
        return c;
      }
    }
  }
  K c = 0;  // c < 7.6 · 2^(bits / l) + l
  for (int bit = bit_width(w) / l + 3; bit >= 0; --bit)
    if (!is_above<l>(static_cast<K>(c + (K(1) << bit)), w)) c += K(1) << bit;
  return c;
}

}  // namespace detail

}  // namespace crinkle
