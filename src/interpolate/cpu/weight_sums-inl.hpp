// Sums of weights and of weighted values. A few vectors of targets at once share each sample's broadcast.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_INTERPOLATE_WEIGHT_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_INTERPOLATE_WEIGHT_SUMS_INL
#undef CRINKLE_INTERPOLATE_WEIGHT_SUMS_INL
#else
#define CRINKLE_INTERPOLATE_WEIGHT_SUMS_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "interpolate/cpu/weight_kernels.hpp"
#include "interpolate/cpu/weight_powers-inl.hpp"
#include "interpolate/cpu/weight_targets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

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

/// Sums of p = 2 and one column for a row of far targets, samples two by two: of their squares a and b, 1/a = b · 1/(ab) and 1/b = a ·
/// 1/(ab), so that one division does for both. Returns the first sample that it leaves.
template <class T, int n_dimensions, std::size_t n_together>
HWY_INLINE std::int64_t add_pairs(const WeightRange<T>& range, const WeightTargets<T, n_dimensions, n_together>& targets,
                                  std::int64_t begin, std::int64_t end, WeightVec<T> (&weights)[n_together],
                                  WeightVec<T> (&sums)[n_together][1]) {
  const WeightTag<T> d;
  const auto one = hn::Set(d, T{1});
  T rests[WeightRange<T>::samples_together];
  targets.rests_of_squares(range, begin, end, rests);
  std::int64_t j = begin;
  for (; j + 1 < end; j += 2) {
    const auto x = hn::Set(d, range.place[0][j]), y = hn::Set(d, range.place[0][j + 1]);
    const auto x_rest = hn::Set(d, rests[j - begin]), y_rest = hn::Set(d, rests[j - begin + 1]);
    const auto x_value = hn::Set(d, range.values[0][j]), y_value = hn::Set(d, range.values[0][j + 1]);
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n_together; ++u) {
      const auto x_away = hn::Sub(x, targets.high[u][0]), y_away = hn::Sub(y, targets.high[u][0]);
      const auto a = hn::MulAdd(x_away, x_away, x_rest), b = hn::MulAdd(y_away, y_away, y_rest);
      const auto both = hn::Div(one, hn::Mul(a, b));
      weights[u] = hn::MulAdd(hn::Add(a, b), both, weights[u]);
      sums[u][0] = hn::MulAdd(hn::MulAdd(y_value, a, hn::Mul(x_value, b)), both, sums[u][0]);
    }
  }
  return j;
}

/// Calls part(begin, end, run) for the parts of the range in every run.
template <class T, class Part>
HWY_INLINE void each_run(const WeightRange<T>& range, const Part& part) {
  for (std::int64_t begin = range.begin; begin < range.end;) {
    const std::int64_t run = begin / WeightRange<T>::samples_together,
                       end = std::min(range.end, (run + 1) * WeightRange<T>::samples_together);
    part(begin, end, run);
    begin = end;
  }
}

template <class T, int n_dimensions, std::size_t n_columns, WeightRule rule>
void add_weights(const WeightRange<T>& range) {
  constexpr std::size_t n_together = n_columns == 1 ? 4 : 2;
  constexpr std::int64_t lanes = weight_lanes<T>, step = static_cast<std::int64_t>(n_together) * lanes;
  static_assert(WeightRange<T>::targets_together % step == 0);
  const WeightTag<T> d;
  const auto smoothing = hn::Set(d, range.smoothing);
  const AnyPower power(static_cast<float>(range.half_power));
  each_run(range, [&](std::int64_t begin, std::int64_t end, std::int64_t run) HWY_ATTR {
    for (std::int64_t t = 0; t < range.n_targets; t += step) {
      const WeightTargets<T, n_dimensions, n_together> targets(range, t, run);
      WeightVec<T> weights[n_together], sums[n_together][n_columns];
#pragma GCC unroll 4
      for (std::size_t u = 0; u < n_together; ++u) {
        weights[u] = hn::Zero(d);
#pragma GCC unroll 4
        for (std::size_t c = 0; c < n_columns; ++c) sums[u][c] = hn::Zero(d);
      }
      std::int64_t first = begin;
      if constexpr (targets.has_runs && rule == WeightRule::two && n_columns == 1)
        if (targets.is_row()) first = add_pairs(range, targets, begin, end, weights, sums);
      const auto add = [&]<bool has_low>(std::bool_constant<has_low>) HWY_ATTR {
        for (std::int64_t j = first; j < end; ++j) {
          WeightVec<T> x[3], x_low[3], values[n_columns], w[n_together];
          broadcast<T, n_dimensions, has_low>(range, j, x, x_low);
#pragma GCC unroll 4
          for (std::size_t c = 0; c < n_columns; ++c) values[c] = hn::Set(d, range.values[c][j]);
#pragma GCC unroll 4
          for (std::size_t u = 0; u < n_together; ++u) w[u] = targets.template square<has_low>(x, x_low, u, smoothing);
          weights_of<rule, T>(w, range, range.scale + t, power);
#pragma GCC unroll 4
          for (std::size_t u = 0; u < n_together; ++u) {
            weights[u] = hn::Add(weights[u], w[u]);
#pragma GCC unroll 4
            for (std::size_t c = 0; c < n_columns; ++c) sums[u][c] = hn::MulAdd(w[u], values[c], sums[u][c]);
          }
        }
      };
      if constexpr (targets.has_runs) targets.is_far ? add(std::false_type()) : add(std::true_type());
      else add(std::false_type());
#pragma GCC unroll 4
      for (std::size_t u = 0; u < n_together; ++u) {
        add_to_sums(weights[u], range.weight_sums + t + static_cast<std::int64_t>(u) * lanes);
#pragma GCC unroll 4
        for (std::size_t c = 0; c < n_columns; ++c) add_to_sums(sums[u][c], range.value_sums[c] + t + static_cast<std::int64_t>(u) * lanes);
      }
    }
  });
}

template <class T, int n_dimensions>
void least_squares(const WeightRange<T>& range) {
  constexpr std::size_t n_together = 4;
  constexpr std::int64_t lanes = weight_lanes<T>, step = static_cast<std::int64_t>(n_together) * lanes;
  const WeightTag<T> d;
  const auto smoothing = hn::Set(d, range.smoothing);
  each_run(range, [&](std::int64_t begin, std::int64_t end, std::int64_t run) HWY_ATTR {
    for (std::int64_t t = 0; t < range.n_targets; t += step) {
      const WeightTargets<T, n_dimensions, n_together> targets(range, t, run);
      WeightVec<T> least[n_together];
#pragma GCC unroll 4
      for (std::size_t u = 0; u < n_together; ++u) least[u] = hn::LoadU(d, range.least + t + static_cast<std::int64_t>(u) * lanes);
      const auto find = [&]<bool has_low>(std::bool_constant<has_low>) HWY_ATTR {
        for (std::int64_t j = begin; j < end; ++j) {
          WeightVec<T> x[3], x_low[3];
          broadcast<T, n_dimensions, has_low>(range, j, x, x_low);
#pragma GCC unroll 4
          for (std::size_t u = 0; u < n_together; ++u)
            least[u] = hn::Min(least[u], targets.template square<has_low>(x, x_low, u, smoothing));
        }
      };
      if constexpr (targets.has_runs) targets.is_far ? find(std::false_type()) : find(std::true_type());
      else find(std::false_type());
#pragma GCC unroll 4
      for (std::size_t u = 0; u < n_together; ++u) hn::StoreU(least[u], d, range.least + t + static_cast<std::int64_t>(u) * lanes);
    }
  });
}

template <class T, int n_dimensions, std::size_t n_columns>
constexpr void put_rules(AddWeights<T> (&to)[n_weight_rules]) {
  to[0] = add_weights<T, n_dimensions, n_columns, WeightRule::one>;
  to[1] = add_weights<T, n_dimensions, n_columns, WeightRule::two>;
  to[2] = add_weights<T, n_dimensions, n_columns, WeightRule::three>;
  to[3] = add_weights<T, n_dimensions, n_columns, WeightRule::four>;
  to[4] = add_weights<T, n_dimensions, n_columns, WeightRule::whole>;
  to[5] = add_weights<T, n_dimensions, n_columns, WeightRule::any>;
}

/// Puts the loops of so many dimensions into the table.
template <class T, int n_dimensions>
constexpr void put_dimensions(WeightKernelsOf<T>& kernels) {
  put_rules<T, n_dimensions, 1>(kernels.add[n_dimensions - 2][0]);
  put_rules<T, n_dimensions, 4>(kernels.add[n_dimensions - 2][1]);
  kernels.least[n_dimensions - 2] = least_squares<T, n_dimensions>;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
