// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/number_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <cstring>

#include "base/number_element.hpp"
#include "cpu/number_kernels.hpp"
#include "cpu/numbers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class E, class T>
void load_numbers(const std::byte* from, std::int64_t n, T* to) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<E, hn::ScalableTag<T>> narrow;
  const hn::Rebind<std::int32_t, hn::ScalableTag<T>> wide;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto e = hn::PromoteTo(wide, hn::LoadU(narrow, reinterpret_cast<const E*>(from) + i));
    if constexpr (sizeof(T) == 4) hn::StoreU(hn::ConvertTo(d, e), d, to + i);
    else hn::StoreU(hn::PromoteTo(d, e), d, to + i);
  }
  for (; i < n; ++i) {
    E e;
    std::memcpy(&e, from + i * static_cast<std::int64_t>(sizeof(E)), sizeof e);
    to[i] = from_element<T>(e);
  }
}

template <class E, class T>
void store_numbers(const T* from, std::int64_t n, std::byte* to) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<E, hn::ScalableTag<T>> narrow;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(elements_of_numbers<E, T>(hn::LoadU(d, from + i)), narrow, reinterpret_cast<E*>(to) + i);
  for (; i < n; ++i) {
    const E e = to_element<E>(from[i]);
    std::memcpy(to + i * static_cast<std::int64_t>(sizeof(E)), &e, sizeof e);
  }
}

template <class E>
constexpr NumberKernels::Element number_element(Number number) {
  return {number, {load_numbers<E, float>, store_numbers<E, float>}, {load_numbers<E, double>, store_numbers<E, double>}};
}

inline const NumberKernels* number_table() {
  static const NumberKernels kernels = {
      hwy::TargetName(HWY_TARGET),
      {number_element<std::uint8_t>(Number::uint8), number_element<std::uint16_t>(Number::uint16),
       number_element<std::int16_t>(Number::int16)},
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(number_table);
const NumberKernels& NumberKernels::best() { return best_table(HWY_DISPATCH_TABLE(number_table)); }
std::vector<const NumberKernels*> NumberKernels::all() { return all_tables(HWY_DISPATCH_TABLE(number_table)); }

}  // namespace crinkle::simd
#endif
