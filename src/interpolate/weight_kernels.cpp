// The loops of weight_kernels.hpp, compiled once for every instruction set. A few vectors of targets at once share each sample's broadcast.
// float32 reciprocals are the processor's estimates and one Newton step, which is 2 units in the last place; x86 alone has estimates that
// good. What is 0 apart makes a sum infinite or NaN, which the caller looks for.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpolate/weight_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <hwy/contrib/math/math-inl.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "interpolate/weight_kernels.hpp"

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

/// One sample's coordinates in every lane, and its squared distance from a vector of targets.
template <class T, int n_dimensions, bool has_low>
struct BroadcastSample {
  WeightVec<T> high[3], low[3];

  HWY_INLINE BroadcastSample(const WeightRange<T>& range, std::int64_t j) {
    const WeightTag<T> d;
#pragma GCC unroll 3
    for (int a = 0; a < n_dimensions; ++a) {
      high[a] = hn::Set(d, range.place[a][j]);
      if constexpr (has_low) low[a] = hn::Set(d, range.low[a][j]);
    }
  }

  HWY_INLINE WeightVec<T> square(const WeightRange<T>& range, std::int64_t t, WeightVec<T> smoothing) const {
    const WeightTag<T> d;
    WeightVec<T> sum = smoothing;
#pragma GCC unroll 3
    for (int a = n_dimensions - 1; a >= 0; --a) {
      auto away = hn::Sub(high[a], hn::LoadU(d, range.target[a] + t));
      if constexpr (has_low) away = hn::Add(away, hn::Sub(low[a], hn::LoadU(d, range.target_low[a] + t)));
      sum = hn::MulAdd(away, away, sum);
    }
    return sum;
  }
};

HWY_INLINE void add_to_sums(WeightVec<double> v, double* sums) {
  const WeightTag<double> d;
  hn::StoreU(hn::Add(v, hn::LoadU(d, sums)), d, sums);
}
HWY_INLINE void add_to_sums(WeightVec<float> v, double* sums) {
#if HWY_TARGET == HWY_SCALAR
  sums[0] += static_cast<double>(hn::GetLane(v));
#else
  const WeightTag<double> d;
  const hn::Half<WeightTag<float>> half;
  add_to_sums(hn::PromoteTo(d, hn::LowerHalf(half, v)), sums);
  add_to_sums(hn::PromoteTo(d, hn::UpperHalf(half, v)), sums + weight_lanes<double>);
#endif
}

template <class T, int n_dimensions, bool has_low, std::size_t n_columns, WeightRule rule>
void add_weights(const WeightRange<T>& range) {
  constexpr std::size_t n_together = n_columns == 1 ? 4 : 2;
  constexpr std::int64_t lanes = weight_lanes<T>, step = static_cast<std::int64_t>(n_together) * lanes;
  static_assert(WeightRange<T>::targets_together % step == 0);
  const WeightTag<T> d;
  const auto smoothing = hn::Set(d, range.smoothing);
  for (std::int64_t begin = range.begin; begin < range.end; begin += WeightRange<T>::samples_together) {
    const std::int64_t end = std::min(range.end, begin + WeightRange<T>::samples_together);
    for (std::int64_t t = 0; t < range.n_targets; t += step) {
      WeightVec<T> weights[n_together], sums[n_together][n_columns];
#pragma GCC unroll 4
      for (std::size_t u = 0; u < n_together; ++u) {
        weights[u] = hn::Zero(d);
#pragma GCC unroll 4
        for (std::size_t c = 0; c < n_columns; ++c) sums[u][c] = hn::Zero(d);
      }
      for (std::int64_t j = begin; j < end; ++j) {
        const BroadcastSample<T, n_dimensions, has_low> sample(range, j);
        WeightVec<T> values[n_columns];
#pragma GCC unroll 4
        for (std::size_t c = 0; c < n_columns; ++c) values[c] = hn::Set(d, range.values[c][j]);
#pragma GCC unroll 4
        for (std::size_t u = 0; u < n_together; ++u) {
          const auto s = sample.square(range, t + static_cast<std::int64_t>(u) * lanes, smoothing);
          const auto w = weight_of<rule, T>(s, range, range.scale + t + static_cast<std::int64_t>(u) * lanes);
          weights[u] = hn::Add(weights[u], w);
#pragma GCC unroll 4
          for (std::size_t c = 0; c < n_columns; ++c) sums[u][c] = hn::MulAdd(w, values[c], sums[u][c]);
        }
      }
#pragma GCC unroll 4
      for (std::size_t u = 0; u < n_together; ++u) {
        add_to_sums(weights[u], range.weight_sums + t + static_cast<std::int64_t>(u) * lanes);
#pragma GCC unroll 4
        for (std::size_t c = 0; c < n_columns; ++c) add_to_sums(sums[u][c], range.value_sums[c] + t + static_cast<std::int64_t>(u) * lanes);
      }
    }
  }
}

template <class T, int n_dimensions, bool has_low>
void least_squares(const WeightRange<T>& range) {
  constexpr std::size_t n_together = 4;
  constexpr std::int64_t lanes = weight_lanes<T>, step = static_cast<std::int64_t>(n_together) * lanes;
  const WeightTag<T> d;
  const auto smoothing = hn::Set(d, range.smoothing);
  for (std::int64_t t = 0; t < range.n_targets; t += step) {
    WeightVec<T> least[n_together];
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n_together; ++u) least[u] = hn::LoadU(d, range.least + t + static_cast<std::int64_t>(u) * lanes);
    for (std::int64_t j = range.begin; j < range.end; ++j) {
      const BroadcastSample<T, n_dimensions, has_low> sample(range, j);
#pragma GCC unroll 4
      for (std::size_t u = 0; u < n_together; ++u)
        least[u] = hn::Min(least[u], sample.square(range, t + static_cast<std::int64_t>(u) * lanes, smoothing));
    }
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n_together; ++u) hn::StoreU(least[u], d, range.least + t + static_cast<std::int64_t>(u) * lanes);
  }
}

template <class T, int n_dimensions, bool has_low, std::size_t n_columns>
constexpr void add_rules(AddWeights<T> (&to)[n_weight_rules]) {
  to[0] = add_weights<T, n_dimensions, has_low, n_columns, WeightRule::one>;
  to[1] = add_weights<T, n_dimensions, has_low, n_columns, WeightRule::two>;
  to[2] = add_weights<T, n_dimensions, has_low, n_columns, WeightRule::three>;
  to[3] = add_weights<T, n_dimensions, has_low, n_columns, WeightRule::four>;
  to[4] = add_weights<T, n_dimensions, has_low, n_columns, WeightRule::whole>;
  to[5] = add_weights<T, n_dimensions, has_low, n_columns, WeightRule::any>;
}

template <class T, int n_dimensions, bool has_low>
constexpr void add_columns(WeightKernelsOf<T>& kernels) {
  add_rules<T, n_dimensions, has_low, 1>(kernels.add[n_dimensions - 2][has_low][0]);
  add_rules<T, n_dimensions, has_low, 4>(kernels.add[n_dimensions - 2][has_low][1]);
  kernels.least[n_dimensions - 2][has_low] = least_squares<T, n_dimensions, has_low>;
}

inline const WeightKernels* weight_table() {
  static const WeightKernels kernels = [] {
    WeightKernels k{};
    k.target = hwy::TargetName(HWY_TARGET);
    add_columns<float, 2, false>(k.float32);
    add_columns<float, 2, true>(k.float32);
    add_columns<float, 3, false>(k.float32);
    add_columns<float, 3, true>(k.float32);
    add_columns<double, 2, false>(k.float64);
    add_columns<double, 3, false>(k.float64);
    return k;
  }();
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(weight_table);
const WeightKernels& WeightKernels::best() { return best_table(HWY_DISPATCH_TABLE(weight_table)); }
std::vector<const WeightKernels*> WeightKernels::all() { return all_tables(HWY_DISPATCH_TABLE(weight_table)); }

}  // namespace crinkle::simd
#endif
