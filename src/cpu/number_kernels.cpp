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

template <class E>
void load_numbers(const std::byte* from, std::int64_t n, float* to) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<E, hn::ScalableTag<float>> narrow;
  const hn::RebindToSigned<hn::ScalableTag<float>> wide;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto e = hn::LoadU(narrow, reinterpret_cast<const E*>(from) + i);
    hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(wide, e)), d, to + i);
  }
  for (; i < n; ++i) {
    E e;
    std::memcpy(&e, from + i * static_cast<std::int64_t>(sizeof(E)), sizeof e);
    to[i] = from_element<float>(e);
  }
}

template <class E>
void store_numbers(const float* from, std::int64_t n, std::byte* to) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<E, hn::ScalableTag<float>> narrow;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(elements_of_numbers<E, float>(hn::LoadU(d, from + i)), narrow, reinterpret_cast<E*>(to) + i);
  for (; i < n; ++i) {
    const E e = to_element<E>(from[i]);
    std::memcpy(to + i * static_cast<std::int64_t>(sizeof(E)), &e, sizeof e);
  }
}

inline const NumberKernels* number_table() {
  static const NumberKernels kernels = {
      hwy::TargetName(HWY_TARGET),
      {{Number::uint8, load_numbers<std::uint8_t>, store_numbers<std::uint8_t>},
       {Number::uint16, load_numbers<std::uint16_t>, store_numbers<std::uint16_t>},
       {Number::int16, load_numbers<std::int16_t>, store_numbers<std::int16_t>}},
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
