// The loop of radius_kernels.hpp, compiled once for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpolate/cpu/radius_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "interpolate/cpu/half_powers-inl.hpp"
#include "interpolate/cpu/radius_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RadiusTag = hn::CappedTag<double, 8>;
using RadiusVec = hn::Vec<RadiusTag>;
inline constexpr std::size_t radius_lanes = hn::MaxLanes(RadiusTag());
inline constexpr std::size_t radius_vectors = 8 / radius_lanes;  // of a leaf

/// Halves are added, then halves of these.
HWY_INLINE double sum_of_eight(const RadiusVec (&v)[radius_vectors]) {
  double sums[8];
  for (std::size_t u = 0; u < radius_vectors; ++u) hn::StoreU(v[u], RadiusTag(), sums + u * radius_lanes);
  for (const std::size_t half : {std::size_t{4}, std::size_t{2}, std::size_t{1}})
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  return sums[0];
}

/// Reach::has() of the samples of a vector beyond `inner`, to the bit. Coordinates of an axis are 8 behind those of the one before.
template <int n_dimensions>
HWY_INLINE hn::Mask<RadiusTag> is_reached(RadiusVec square, const double* places, const double* q, const interpolation::Reach& reach) {
  const RadiusTag d;
  auto largest = hn::Set(d, reach.size);
#pragma GCC unroll 3
  for (int a = 0; a < n_dimensions; ++a)
    largest = hn::Max(largest, hn::Max(hn::Abs(hn::LoadU(d, places + 8 * a)), hn::Abs(hn::Set(d, q[a]))));
  const auto slack = hn::Mul(hn::Set(d, decimals::rounding_of(1)), hn::Mul(hn::Set(d, reach.scale), largest));
  const auto far = hn::Add(hn::Set(d, reach.radius), slack);
  return hn::Le(square, hn::Mul(far, far));
}

template <int n_dimensions>
RadiusSums sum_within(const RadiusSamples& samples, const double* q, const std::int64_t* leaves, std::int64_t n, RadiusRoom& room,
                      double* sums) {
  const RadiusTag d;
  const interpolation::Reach& reach = samples.reach;
  const auto inner = hn::Set(d, reach.inner), outer = hn::Set(d, reach.outer), smoothing = hn::Set(d, samples.smoothing);
  const auto greatest = hn::Add(inner, smoothing), none = hn::Set(d, std::numeric_limits<double>::infinity());
  const auto half_power = hn::Set(d, samples.power / 2);
  const auto any = [&](RadiusVec ratio) HWY_ATTR { return hn::Exp(d, hn::Mul(half_power, hn::Log(d, ratio))); };
  RadiusVec all[radius_vectors], least = none;
  for (auto& v : all) v = hn::Zero(d);
  RadiusSums found;
  std::int64_t n_met = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double* const leaf = samples.leaves + leaves[i] * (8 * n_dimensions);
    RadiusVec square[radius_vectors];
    hn::Mask<RadiusTag> is_within[radius_vectors];
    std::size_t n_within = 0;
#pragma GCC unroll 8
    for (std::size_t u = 0; u < radius_vectors; ++u) {
#pragma GCC unroll 3
      for (int a = 0; a < n_dimensions; ++a) {
        const auto away = hn::Sub(hn::LoadU(d, leaf + 8 * static_cast<std::size_t>(a) + u * radius_lanes), hn::Set(d, q[a]));
        square[u] = a == 0 ? hn::Mul(away, away) : hn::Add(square[u], hn::Mul(away, away));
      }
      is_within[u] = hn::Le(square[u], inner);
      if (!hn::AllFalse(d, hn::AndNot(is_within[u], hn::Le(square[u], outer))))
        is_within[u] = hn::And(hn::Le(square[u], outer), is_reached<n_dimensions>(square[u], leaf + u * radius_lanes, q, reach));
      n_within += hn::CountTrue(d, is_within[u]);
    }
    if (n_within == 0) continue;
    double* const weights = room.weights + 8 * n_met;
#pragma GCC unroll 8
    for (std::size_t u = 0; u < radius_vectors; ++u) {
      const auto s = hn::Add(square[u], smoothing);
      least = hn::Min(least, hn::IfThenElse(is_within[u], s, none));
      auto w = hn::IfThenElseZero(is_within[u], half_powers(hn::Div(greatest, s), samples.power, any));
      if (samples.scales != nullptr) w = hn::Mul(w, hn::LoadU(d, samples.scales + 8 * leaves[i] + u * radius_lanes));
      hn::StoreU(w, d, weights + u * radius_lanes);
      all[u] = hn::Add(all[u], w);
    }
    room.met[n_met++] = leaves[i];
    found.n += static_cast<std::int64_t>(n_within);
  }
  double leasts[radius_lanes];
  hn::StoreU(least, d, leasts);
  found.least = *std::min_element(leasts, leasts + radius_lanes);
  found.weights = sum_of_eight(all);
  for (std::int64_t c = 0; c < samples.n_columns; ++c) {
    const double* const values = samples.values + c * 8 * samples.n_leaves;
    const auto zero = hn::Set(d, samples.zeros[c]);
    RadiusVec sum[radius_vectors];
    for (auto& v : sum) v = hn::Zero(d);
    for (std::int64_t i = 0; i < n_met; ++i)
#pragma GCC unroll 8
      for (std::size_t u = 0; u < radius_vectors; ++u) {
        const auto away = hn::Sub(hn::LoadU(d, values + 8 * room.met[i] + u * radius_lanes), zero);
        sum[u] = hn::Add(sum[u], hn::Mul(hn::LoadU(d, room.weights + 8 * static_cast<std::size_t>(i) + u * radius_lanes), away));
      }
    sums[c] += sum_of_eight(sum);
  }
  return found;
}

inline const RadiusKernels* radius_table() {
  static const RadiusKernels kernels{hwy::TargetName(HWY_TARGET), {sum_within<2>, sum_within<3>}};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(radius_table);
const RadiusKernels& RadiusKernels::best() { return best_table(HWY_DISPATCH_TABLE(radius_table)); }
std::vector<const RadiusKernels*> RadiusKernels::all() { return all_tables(HWY_DISPATCH_TABLE(radius_table)); }

}  // namespace crinkle::simd
#endif
