// Targets as the samples of a run see them: relative to the run's origin, in one half where all are far, in two where one is near.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_INTERPOLATE_WEIGHT_TARGETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_INTERPOLATE_WEIGHT_TARGETS_INL
#undef CRINKLE_INTERPOLATE_WEIGHT_TARGETS_INL
#else
#define CRINKLE_INTERPOLATE_WEIGHT_TARGETS_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "interpolate/cpu/weight_powers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

/// Some vectors of targets as the samples of one run see them.
template <class T, int n_dimensions, std::size_t n_together>
struct WeightTargets {
  static constexpr bool has_runs = sizeof(T) == 4;
  // From 3 radii on, what float32 rounds off of a target's place is at most 2^-23 of 1 1/2 of its distances.
  static constexpr T square_reach = 9;
  WeightVec<T> high[n_together][3], low[n_together][3];
  bool is_far = true;

  HWY_INLINE WeightTargets(const WeightRange<T>& range, std::int64_t t, std::int64_t run) {
    const WeightTag<T> d;
    auto nearest = hn::Set(d, std::numeric_limits<T>::infinity());
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n_together; ++u) {
      auto square = hn::Zero(d);
#pragma GCC unroll 3
      for (int a = 0; a < n_dimensions; ++a) {
        high[u][a] = hn::LoadU(d, range.target[a] + t + static_cast<std::int64_t>(u) * weight_lanes<T>);
        if constexpr (has_runs) {
          high[u][a] = hn::Add(hn::Sub(high[u][a], hn::Set(d, range.origin[a][run])), low_from(range, t, run, u, a));
          square = hn::MulAdd(high[u][a], high[u][a], square);
        }
      }
      nearest = hn::Min(nearest, square);
    }
    if constexpr (has_runs) {
      is_far = hn::AllTrue(d, hn::Ge(nearest, hn::Set(d, square_reach * range.square_radius[run])));
      if (!is_far) split(range, t, run);
    }
  }

  /// Whether the targets are far and share all coordinates but the first.
  HWY_INLINE bool is_row() const {
    const WeightTag<T> d;
    auto same = hn::Eq(high[0][0], high[0][0]);
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n_together; ++u) {
#pragma GCC unroll 3
      for (int a = 1; a < n_dimensions; ++a) same = hn::And(same, hn::Eq(high[u][a], hn::Set(d, hn::GetLane(high[0][a]))));
    }
    return is_far && hn::AllTrue(d, same);
  }

  /// Adds up the squares of all axes but the first, and the smoothing, for a row: to[j - begin] is that of sample j.
  HWY_INLINE void rests_of_squares(const WeightRange<T>& range, std::int64_t begin, std::int64_t end, T* to) const {
    std::fill(to, to + (end - begin), range.smoothing);
    for (int a = n_dimensions - 1; a >= 1; --a) {
      const T q = hn::GetLane(high[0][a]);
      const T* const x = range.place[a] + begin;
      for (std::int64_t j = 0; j < end - begin; ++j) to[j] += (x[j] - q) * (x[j] - q);
    }
  }

  /// The squared distances of one sample from vector u, smoothed.
  template <bool has_low>
  HWY_INLINE WeightVec<T> square(const WeightVec<T> (&x)[3], const WeightVec<T> (&x_low)[3], std::size_t u, WeightVec<T> smoothing) const {
    auto sum = smoothing;
#pragma GCC unroll 3
    for (int a = n_dimensions - 1; a >= 0; --a) {
      auto away = hn::Sub(x[a], high[u][a]);
      if constexpr (has_low) away = hn::Add(away, hn::Sub(x_low[a], low[u][a]));
      sum = hn::MulAdd(away, away, sum);
    }
    return sum;
  }

 private:
  static HWY_INLINE WeightVec<T> low_from(const WeightRange<T>& range, std::int64_t t, std::int64_t run, std::size_t u, int a) {
    const WeightTag<T> d;
    return hn::Sub(hn::LoadU(d, range.target_low[a] + t + static_cast<std::int64_t>(u) * weight_lanes<T>),
                   hn::Set(d, range.origin_low[a][run]));
  }
  // high + low, exactly but for the roundings of low: what subtracting the origin rounds off goes to low.
  HWY_INLINE void split(const WeightRange<T>& range, std::int64_t t, std::int64_t run) {
    const WeightTag<T> d;
#pragma GCC unroll 4
    for (std::size_t u = 0; u < n_together; ++u) {
#pragma GCC unroll 3
      for (int a = 0; a < n_dimensions; ++a) {
        const auto q = hn::LoadU(d, range.target[a] + t + static_cast<std::int64_t>(u) * weight_lanes<T>);
        const auto origin = hn::Set(d, range.origin[a][run]);
        const auto away = hn::Sub(q, origin), back = hn::Sub(q, away);
        const auto rest = hn::Add(hn::Sub(q, hn::Add(away, back)), hn::Sub(back, origin));
        high[u][a] = away;
        low[u][a] = hn::Add(rest, low_from(range, t, run, u, a));
      }
    }
  }
};

/// One sample's coordinates in every lane.
template <class T, int n_dimensions, bool has_low>
HWY_INLINE void broadcast(const WeightRange<T>& range, std::int64_t j, WeightVec<T> (&x)[3], WeightVec<T> (&x_low)[3]) {
  const WeightTag<T> d;
#pragma GCC unroll 3
  for (int a = 0; a < n_dimensions; ++a) {
    x[a] = hn::Set(d, range.place[a][j]);
    if constexpr (has_low) x_low[a] = hn::Set(d, range.low[a][j]);
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
