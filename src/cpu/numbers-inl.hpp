// A vector of numbers as elements. SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_NUMBERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_NUMBERS_INL
#undef CRINKLE_CPU_NUMBERS_INL
#else
#define CRINKLE_CPU_NUMBERS_INL
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// E: T, or of 8 or 16 bits. Rounded half to even and saturated (of wider ones DemoteTo of AVX-512 makes 0), NaN becomes 0.
template <class E, class T>
HWY_INLINE auto elements_of_numbers(hn::Vec<hn::ScalableTag<T>> v) {
  if constexpr (std::is_same_v<E, T>) {
    return v;
  } else {
    const hn::ScalableTag<T> d;
    const auto most = hn::Set(d, T{std::numeric_limits<E>::max()}), least = hn::Set(d, T{std::numeric_limits<E>::min()});
    const auto inside = hn::Max(hn::Min(hn::IfThenZeroElse(hn::IsNaN(v), v), most), least);
    const hn::Rebind<E, hn::ScalableTag<T>> to;
    if constexpr (sizeof(T) == 4) return hn::DemoteTo(to, hn::NearestInt(inside));
    else return hn::DemoteTo(to, hn::DemoteTo(hn::Rebind<std::int32_t, hn::ScalableTag<T>>(), hn::Round(inside)));
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
