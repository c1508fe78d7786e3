// A vector of numbers as elements. SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_NUMBERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_NUMBERS_INL
#undef CRINKLE_CPU_NUMBERS_INL
#else
#define CRINKLE_CPU_NUMBERS_INL
#endif

#include <hwy/highway.h>

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// E: T, or of 8 or 16 bits. Rounded half to even and saturated (DemoteTo does), NaN becomes 0.
template <class E, class T>
HWY_INLINE auto elements_of_numbers(hn::Vec<hn::ScalableTag<T>> v) {
  if constexpr (std::is_same_v<E, T>) {
    return v;
  } else {
    const hn::ScalableTag<T> d;
    const auto most = hn::Set(d, T{100000}), least = hn::Set(d, T{-100000});
    const auto inside = hn::Max(hn::Min(hn::IfThenZeroElse(hn::IsNaN(v), v), most), least);
    return hn::DemoteTo(hn::Rebind<E, hn::ScalableTag<T>>(), hn::NearestInt(inside));
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
