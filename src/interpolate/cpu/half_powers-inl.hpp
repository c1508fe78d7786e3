// ratio^(p/2) of vectors of float64.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_INTERPOLATE_HALF_POWERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_INTERPOLATE_HALF_POWERS_INL
#undef CRINKLE_INTERPOLATE_HALF_POWERS_INL
#else
#define CRINKLE_INTERPOLATE_HALF_POWERS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Powers other than 1, 2, 3 and 4 are `any(ratio)`.
template <class V, class Any>
HWY_INLINE V half_powers(V ratio, double power, const Any& any) {
  if (power == 2) return ratio;
  if (power == 1) return hn::Sqrt(ratio);
  if (power == 3) return hn::Mul(ratio, hn::Sqrt(ratio));
  if (power == 4) return hn::Mul(ratio, ratio);
  return any(ratio);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
