// DFTs of a few vectors in registers: a[k] = Σ_n a[n] W_R^{nk}, W_R = exp(−2πi/R), every lane by itself, re and im in vectors of their own.
//     R = 2, 4         by sums and differences
//     R odd, prime     from t_j = a_j + a_{R−j} and d_j = a_j − a_{R−j}: (R−1)²/2 products of a real number and a complex one
//     R = A·B          n = B·n₁ + n₂, k = k₁ + A·k₂: DFTs of A, constants W_R^{n₂k₁}, DFTs of B
// All constants are computed by the compiler.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_FFT_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_FFT_BUTTERFLIES_INL
#undef CRINKLE_CPU_FFT_BUTTERFLIES_INL
#else
#define CRINKLE_CPU_FFT_BUTTERFLIES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "fft/fft_constants.hpp"

// Inlines lambdas, whose calls would otherwise keep numbers in memory.
#undef CRINKLE_FFT_INLINE
#define CRINKLE_FFT_INLINE HWY_ATTR __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 bytes: what the planner chooses for AVX2 holds for AVX-512, which has twice the registers.
template <class T>
using FftTag = hn::CappedTag<T, 32 / sizeof(T)>;
template <class T>
using FftVec = hn::Vec<FftTag<T>>;
template <class T>
constexpr std::int64_t fft_lanes = static_cast<std::int64_t>(hn::MaxLanes(FftTag<T>()));

template <class T>
struct Complex {
  FftVec<T> re, im;
};
template <class T>
HWY_INLINE Complex<T> operator+(const Complex<T>& a, const Complex<T>& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class T>
HWY_INLINE Complex<T> operator-(const Complex<T>& a, const Complex<T>& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class T>
HWY_INLINE Complex<T> operator*(const Complex<T>& a, const Complex<T>& b) {
  return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)), hn::MulAdd(a.re, b.im, hn::Mul(a.im, b.re))};
}
template <class T>
HWY_INLINE Complex<T> times_minus_i(const Complex<T>& a) {
  return {a.im, hn::Neg(a.re)};
}

// body(0), …, body(n − 1), each with a constant as its argument.
template <class F, std::size_t... I>
HWY_INLINE void unrolled(const F& body, std::index_sequence<I...> /*of*/) {
  (body(std::integral_constant<std::size_t, I>{}), ...);
}
template <std::size_t N, class F>
HWY_INLINE void unrolled(const F& body) {
  unrolled(body, std::make_index_sequence<N>{});
}

template <class T>
HWY_INLINE FftVec<T> constant(double value) {
  return hn::Set(FftTag<T>(), static_cast<T>(value));
}

// a · W_R^K; what takes no product is none.
template <class T, std::size_t R, std::size_t K>
HWY_INLINE Complex<T> times_root(const Complex<T>& a) {
  constexpr std::size_t k = K % R;
  if constexpr (k == 0) return a;
  else if constexpr (4 * k == R) return times_minus_i(a);
  else if constexpr (2 * k == R) return {hn::Neg(a.re), hn::Neg(a.im)};
  else if constexpr (4 * k == 3 * R) return {hn::Neg(a.im), a.re};
  else if constexpr (8 * k == R) {
    const FftVec<T> h = constant<T>(fft_constants::half_root);
    return {hn::Mul(h, hn::Add(a.re, a.im)), hn::Mul(h, hn::Sub(a.im, a.re))};
  } else if constexpr (8 * k == 3 * R) {
    const FftVec<T> h = constant<T>(fft_constants::half_root);
    return {hn::Mul(h, hn::Sub(a.im, a.re)), hn::Mul(constant<T>(-fft_constants::half_root), hn::Add(a.re, a.im))};
  } else {
    constexpr double c = fft_constants::cosine(k, R), s = fft_constants::sine(k, R);  // W = c − i s
    const FftVec<T> vc = constant<T>(c), vs = constant<T>(s);
    return {hn::MulAdd(a.im, vs, hn::Mul(a.re, vc)), hn::NegMulAdd(a.re, vs, hn::Mul(a.im, vc))};
  }
}

constexpr std::size_t smallest_factor(std::size_t n) {
  if (n % 4 == 0 && n > 4) return 4;
  for (std::size_t f = 2; f * f <= n; ++f)
    if (n % f == 0) return f;
  return n;
}

template <class T, std::size_t R>
HWY_INLINE void butterfly(Complex<T>* a);

// a[1] and a[2] of three numbers, first − t/2 ∓ i √¾ d. What √¾ lost when it was rounded, half of ε in float64, is the same in every stage
// and would add up from one to the next: it is added as a second product.
template <class T>
HWY_INLINE void third_roots(Complex<T>* a, const Complex<T>& first, const Complex<T>& t, const Complex<T>& d) {
  constexpr long double exact = 0.866025403784438646763723170752936183L;
  constexpr T high = static_cast<T>(exact), low = static_cast<T>(exact - static_cast<long double>(high));
  const FftVec<T> s = hn::Set(FftTag<T>(), high), rest = hn::Set(FftTag<T>(), low), half = constant<T>(-0.5);
  const Complex<T> even = {hn::MulAdd(t.re, half, first.re), hn::MulAdd(t.im, half, first.im)};
  a[1] = {hn::MulAdd(d.im, s, hn::MulAdd(d.im, rest, even.re)), hn::NegMulAdd(d.re, s, hn::NegMulAdd(d.re, rest, even.im))};
  a[2] = {hn::NegMulAdd(d.im, s, hn::NegMulAdd(d.im, rest, even.re)), hn::MulAdd(d.re, s, hn::MulAdd(d.re, rest, even.im))};
}

template <class T, std::size_t R>
HWY_INLINE void odd_butterfly(Complex<T>* a) {
  constexpr std::size_t h = (R - 1) / 2;
  const Complex<T> first = a[0];
  Complex<T> t[h], d[h];
  unrolled<h>([&](auto j) CRINKLE_FFT_INLINE {
    t[j] = a[j + 1] + a[R - 1 - j];
    d[j] = a[j + 1] - a[R - 1 - j];
  });
  unrolled<h>([&](auto j) CRINKLE_FFT_INLINE { a[0] = a[0] + t[j]; });
  if constexpr (R == 3) return third_roots(a, first, t[0], d[0]);
  unrolled<h>([&](auto k) CRINKLE_FFT_INLINE {
    Complex<T> even = first, odd{};
    unrolled<h>([&](auto j) CRINKLE_FFT_INLINE {
      constexpr std::size_t place = (decltype(j)::value + 1) * (decltype(k)::value + 1) % R;
      const FftVec<T> c = constant<T>(fft_constants::cosine(place, R)), s = constant<T>(fft_constants::sine(place, R));
      even = {hn::MulAdd(t[j].re, c, even.re), hn::MulAdd(t[j].im, c, even.im)};
      if constexpr (decltype(j)::value == 0) odd = {hn::Mul(d[j].re, s), hn::Mul(d[j].im, s)};
      else odd = {hn::MulAdd(d[j].re, s, odd.re), hn::MulAdd(d[j].im, s, odd.im)};
    });
    a[k + 1] = {hn::Add(even.re, odd.im), hn::Sub(even.im, odd.re)};  // even − i odd
    a[R - 1 - k] = {hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)};
  });
}

template <class T, std::size_t A, std::size_t B>
HWY_INLINE void composed_butterfly(Complex<T>* a) {
  Complex<T> column[B][A];
  unrolled<B>([&](auto n2) CRINKLE_FFT_INLINE {
    unrolled<A>([&](auto n1) CRINKLE_FFT_INLINE { column[n2][n1] = a[B * n1 + n2]; });
    butterfly<T, A>(column[n2]);
  });
  unrolled<A>([&](auto k1) CRINKLE_FFT_INLINE {
    Complex<T> row[B];
    unrolled<B>([&](auto n2)
                    CRINKLE_FFT_INLINE { row[n2] = times_root<T, A * B, decltype(n2)::value* decltype(k1)::value>(column[n2][k1]); });
    butterfly<T, B>(row);
    unrolled<B>([&](auto k2) CRINKLE_FFT_INLINE { a[k1 + A * k2] = row[k2]; });
  });
}

/// a[k] = Σ_n a[n] W_R^{nk}.
template <class T, std::size_t R>
HWY_INLINE void butterfly(Complex<T>* a) {
  if constexpr (R == 2) {
    const Complex<T> b = a[1];
    a[1] = a[0] - b;
    a[0] = a[0] + b;
  } else if constexpr (R == 4) {
    const Complex<T> s = a[0] + a[2], u = a[0] - a[2], t = a[1] + a[3], v = a[1] - a[3];
    a[0] = s + t;
    a[1] = {hn::Add(u.re, v.im), hn::Sub(u.im, v.re)};  // u − i v
    a[2] = s - t;
    a[3] = {hn::Sub(u.re, v.im), hn::Add(u.im, v.re)};
  } else if constexpr (smallest_factor(R) == R) {
    if constexpr (R > 1) odd_butterfly<T, R>(a);
  } else {
    composed_butterfly<T, smallest_factor(R), R / smallest_factor(R)>(a);
  }
}

/// The same of numbers get(n), each asked for when it is needed, to put(k, number), each as soon as it is there: so that few are in
/// registers.
template <class T, std::size_t R, class Get, class Put>
HWY_INLINE void streamed_butterfly(const Get& get, const Put& put) {
  constexpr std::size_t A = R == 4 ? R : smallest_factor(R), B = R / A;
  if constexpr (B == 1) {
    Complex<T> a[R];
    unrolled<R>([&](auto n) CRINKLE_FFT_INLINE { a[n] = get(n); });
    butterfly<T, R>(a);
    unrolled<R>([&](auto k) CRINKLE_FFT_INLINE { put(k, a[k]); });
  } else {
    Complex<T> column[B][A];
    unrolled<B>([&](auto n2) CRINKLE_FFT_INLINE {
      unrolled<A>([&](auto n1) CRINKLE_FFT_INLINE {
        column[n2][n1] = get(std::integral_constant<std::size_t, B* decltype(n1)::value + decltype(n2)::value>{});
      });
      butterfly<T, A>(column[n2]);
    });
    unrolled<A>([&](auto k1) CRINKLE_FFT_INLINE {
      Complex<T> row[B];
      unrolled<B>([&](auto n2)
                      CRINKLE_FFT_INLINE { row[n2] = times_root<T, R, decltype(n2)::value* decltype(k1)::value>(column[n2][k1]); });
      butterfly<T, B>(row);
      unrolled<B>([&](auto k2) CRINKLE_FFT_INLINE {
        put(std::integral_constant<std::size_t, decltype(k1)::value + A* decltype(k2)::value>{}, row[k2]);
      });
    });
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
