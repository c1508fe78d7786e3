// Weights of squares of distances. float32 reciprocals are the processor's estimates and one Newton step, which is 2 units in the last
// place; x86 alone has estimates that good. What is 0 apart makes a sum infinite or NaN, which the caller looks for.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_INTERPOLATE_WEIGHT_POWERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_INTERPOLATE_WEIGHT_POWERS_INL
#undef CRINKLE_INTERPOLATE_WEIGHT_POWERS_INL
#else
#define CRINKLE_INTERPOLATE_WEIGHT_POWERS_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "interpolate/cpu/weight_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using WeightTag = hn::ScalableTag<T>;
template <class T>
using WeightVec = hn::Vec<WeightTag<T>>;
template <class T>
inline constexpr std::int64_t weight_lanes = static_cast<std::int64_t>(hn::MaxLanes(WeightTag<T>()));

template <class T>
inline constexpr bool has_estimates = sizeof(T) == 4 && HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR;

template <class T>
HWY_INLINE WeightVec<T> inverse(WeightVec<T> s) {
  const WeightTag<T> d;
  if constexpr (has_estimates<T>) {
    const auto r = hn::ApproximateReciprocal(s);
    return hn::Mul(r, hn::NegMulAdd(s, r, hn::Set(d, T{2})));
  } else {
    return hn::Div(hn::Set(d, T{1}), s);
  }
}

template <class T>
HWY_INLINE WeightVec<T> inverse_root(WeightVec<T> s) {
  const WeightTag<T> d;
  if constexpr (has_estimates<T>) {
    const auto r = hn::ApproximateReciprocalSqrt(s);
    return hn::Mul(r, hn::NegMulAdd(hn::Mul(s, r), hn::Mul(hn::Set(d, T{0.5}), r), hn::Set(d, T{1.5})));
  } else {
    return hn::Div(hn::Set(d, T{1}), hn::Sqrt(s));
  }
}

// base^p. Every lane takes the same steps.
template <class T>
HWY_INLINE WeightVec<T> whole_power(WeightVec<T> base, std::int64_t p) {
  WeightVec<T> result = hn::Set(WeightTag<T>(), T{1});
  for (;;) {
    if (p % 2 == 1) result = hn::Mul(result, base);
    p /= 2;
    if (p == 0) return result;
    base = hn::Mul(base, base);
  }
}

/// Some polynomials side by side, so that none waits for its own last step: coefficients from the highest on.
template <std::size_t n, class... Coefficients>
HWY_INLINE void polynomials(const WeightVec<float> (&x)[n], WeightVec<float> (&sums)[n], float highest, Coefficients... others) {
  const WeightTag<float> d;
  for (std::size_t u = 0; u < n; ++u) sums[u] = hn::Set(d, highest);
  const auto step = [&](float c) HWY_ATTR {
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n; ++u) sums[u] = hn::MulAdd(sums[u], x[u], hn::Set(d, c));
  };
  (step(others), ...);
}

/// s^(−p/2) of float32 = 2^y, y = −p/2 · (e + log2 m) of s = m 2^e with m from √½ to √2, whose logarithm is a polynomial in m − 1. What y
/// has beyond a whole number is put together from −p/2 · e and −p/2 · log2 m, each less rounded than y itself would be; its power of 2 is a
/// polynomial. Both are interpolated between the zeros of Chebyshev's polynomials: within 3e-8 and 2.1e-7.
class AnyPower {
 public:
  explicit AnyPower(float half_power)
      : factor_(-half_power),
        least_(std::max(std::exp2(-124.0f / half_power), std::numeric_limits<float>::min())),
        most_(std::min(std::exp2(124.0f / half_power), std::numeric_limits<float>::max())) {}

  template <std::size_t n>
  HWY_INLINE void apply(WeightVec<float> (&s)[n]) const {
    const WeightTag<float> d;
    const hn::RebindToSigned<WeightTag<float>> whole;
    constexpr std::int32_t root_half = 0x3F3504F3, exponent_bits = static_cast<std::int32_t>(0xFF800000);
    const auto factor = hn::Set(d, factor_), of_bits = hn::Set(d, factor_ * 0x1p-23f);
    const auto rounds = hn::Set(d, 0x1.8p23f);  // a sum with it has no place for fractions, and ends in the bits of the whole number
    WeightVec<float> x[n], log[n], e[n];
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n; ++u) {
      const auto bits = hn::BitCast(whole, hn::Min(hn::Max(s[u], hn::Set(d, least_)), hn::Set(d, most_)));
      const auto exponent = hn::And(hn::Sub(bits, hn::Set(whole, root_half)), hn::Set(whole, exponent_bits));
      x[u] = hn::Sub(hn::BitCast(d, hn::Sub(bits, exponent)), hn::Set(d, 1.0f));
      e[u] = hn::ConvertTo(d, exponent);
    }
    polynomials(x, log, 0.123109683f, -0.205861881f, 0.216078222f, -0.239169881f, 0.287903249f, -0.360693276f, 0.480910748f, -0.721347451f,
                1.44269502f);
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n; ++u) {
      const auto of_log = hn::Mul(hn::Mul(log[u], x[u]), factor);
      s[u] = hn::Add(hn::MulAdd(e[u], of_bits, of_log), rounds);
      x[u] = hn::Add(hn::MulSub(e[u], of_bits, hn::Sub(s[u], rounds)), of_log);
    }
    polynomials(x, log, 0.00133908633f, 0.00967603177f, 0.0555035695f, 0.240221068f, 0.693147182f, 1.0f);
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n; ++u)
      s[u] = hn::BitCast(d, hn::Add(hn::BitCast(whole, log[u]), hn::ShiftLeft<23>(hn::BitCast(whole, s[u]))));
  }

 private:
  float factor_, least_, most_;
};

template <WeightRule rule, class T>
HWY_INLINE WeightVec<T> weight_of(WeightVec<T> s, const WeightRange<T>& range, const T* scale) {
  const WeightTag<T> d;
  (void)range, (void)scale;
  if constexpr (rule == WeightRule::one) {
    return inverse_root<T>(s);
  } else if constexpr (rule == WeightRule::two) {
    return inverse<T>(s);
  } else if constexpr (rule == WeightRule::three) {
    const auto r = inverse_root<T>(s);
    return hn::Mul(r, hn::Mul(r, r));
  } else if constexpr (rule == WeightRule::four) {
    const auto r = inverse<T>(s);
    return hn::Mul(r, r);
  } else if constexpr (rule == WeightRule::whole) {
    const auto ratio = hn::Mul(s, hn::LoadU(d, scale));
    if (range.whole % 2 == 0) return whole_power<T>(hn::Div(hn::Set(d, T{1}), ratio), range.whole / 2);
    return whole_power<T>(hn::Div(hn::Set(d, T{1}), hn::Sqrt(ratio)), range.whole);
  } else {
    const auto ratio = hn::Mul(s, hn::LoadU(d, scale));
    return hn::Exp(d, hn::Mul(hn::Set(d, -range.half_power), hn::Log(d, ratio)));
  }
}

/// Squares of vectors that follow each other become their weights.
template <WeightRule rule, class T, std::size_t n>
HWY_INLINE void weights_of(WeightVec<T> (&s)[n], const WeightRange<T>& range, const T* scale, const AnyPower& power) {
  if constexpr (rule == WeightRule::any && sizeof(T) == 4) {
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n; ++u)
      s[u] = hn::Mul(s[u], hn::LoadU(WeightTag<T>(), scale + static_cast<std::int64_t>(u) * weight_lanes<T>));
    power.apply(s);
  } else {
    (void)power;
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n; ++u) s[u] = weight_of<rule, T>(s[u], range, scale + static_cast<std::int64_t>(u) * weight_lanes<T>);
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
