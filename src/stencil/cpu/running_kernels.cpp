// Compiles the kernels of running sums once for every instruction set. SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stencil/cpu/running_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <algorithm>
#include <cstring>

#include "cpu/numbers-inl.hpp"
#include "stencil/cpu/running_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RunningTag = hn::ScalableTag<std::int32_t>;
inline constexpr auto running_lanes = static_cast<std::int64_t>(hn::MaxLanes(RunningTag()));

// A vector of elements as sums, and one of them.
template <class E>
HWY_INLINE hn::Vec<RunningTag> running_vector(const std::byte* from, std::int64_t i) {
  const hn::Rebind<E, RunningTag> narrow;
  return hn::PromoteTo(RunningTag(), hn::LoadU(narrow, reinterpret_cast<const E*>(from) + i));
}
template <class E>
HWY_INLINE std::int32_t running_element(const std::byte* from, std::int64_t i) {
  E element;
  std::memcpy(&element, from + i * static_cast<std::int64_t>(sizeof(E)), sizeof(E));
  return element;
}

template <class E>
void running_add(const std::byte* from, std::int64_t n, std::int32_t times, std::int32_t* sums) {
  const RunningTag d;
  const auto factor = hn::Set(d, times);
  std::int64_t i = 0;
  for (; i + running_lanes <= n; i += running_lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::Mul(factor, running_vector<E>(from, i))), d, sums + i);
  for (; i < n; ++i) sums[i] += times * running_element<E>(from, i);
}

template <class E>
void running_exchange(const std::byte* in, const std::byte* out, std::int64_t n, std::int32_t* sums) {
  const RunningTag d;
  std::int64_t i = 0;
  for (; i + running_lanes <= n; i += running_lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::Sub(running_vector<E>(in, i), running_vector<E>(out, i))), d, sums + i);
  for (; i < n; ++i) sums[i] += running_element<E>(in, i) - running_element<E>(out, i);
}

template <class E, class T>
void running_scale(const std::int32_t* sums, std::int64_t n, double factor, std::byte* to) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<std::int32_t, hn::ScalableTag<T>> whole;
  const hn::Rebind<E, hn::ScalableTag<T>> narrow;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  const auto times = hn::Set(d, static_cast<T>(factor));
  const auto scaled = [&](std::int64_t i) HWY_ATTR {
    if constexpr (sizeof(T) == 4) return elements_of_numbers<E, T>(hn::Mul(times, hn::ConvertTo(d, hn::LoadU(whole, sums + i))));
    else return elements_of_numbers<E, T>(hn::Mul(times, hn::PromoteTo(d, hn::LoadU(whole, sums + i))));
  };
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(scaled(i), narrow, reinterpret_cast<E*>(to) + i);
  if (i == n) return;
  HWY_ALIGN E rest[static_cast<std::size_t>(lanes)];
  hn::Store(scaled(i), narrow, rest);
  std::memcpy(to + i * static_cast<std::int64_t>(sizeof(E)), rest, static_cast<std::size_t>(n - i) * sizeof(E));
}

// Cells of one number: four sums at once, the last one goes on to the next four.
inline void slide_numbers(const std::int32_t* from, std::int64_t n, std::int64_t n_summed, std::int32_t sum, std::int32_t* to) {
#if HWY_TARGET == HWY_SCALAR
  for (std::int64_t x = 0; x < n; ++x) {
    to[x] = sum;
    sum += from[x + n_summed] - from[x];
  }
#else
  const hn::Full128<std::int32_t> d;
  auto before = hn::Set(d, sum);
  to[0] = sum;
  for (std::int64_t x = 0; x < n; x += 4) {
    auto change = hn::Sub(hn::LoadU(d, from + x + n_summed), hn::LoadU(d, from + x));
    change = hn::Add(change, hn::ShiftLeftLanes<1>(d, change));
    change = hn::Add(change, hn::ShiftLeftLanes<2>(d, change));
    const auto sums = hn::Add(before, change);
    hn::StoreU(sums, d, to + x + 1);
    before = hn::Broadcast<3>(sums);
  }
#endif
}

// Cells of a few numbers, whose sums do not wait for each other.
template <std::int64_t width>
void slide_cells(const std::int32_t* from, std::int64_t n_cells, std::int64_t n_summed, std::int32_t* to) {
  std::int32_t sums[static_cast<std::size_t>(width)];
  std::copy_n(to, width, sums);
  for (std::int64_t x = 1; x < n_cells; ++x) {
    for (std::int64_t e = 0; e < width; ++e) {
      const std::int64_t at = (x - 1) * width + e;
      sums[e] += from[at + n_summed * width] - from[at];
      to[at + width] = sums[e];
    }
  }
}

inline void running_slide(const std::int32_t* from, std::int64_t n_cells, std::int64_t width, std::int64_t n_summed, std::int32_t* to) {
  std::fill_n(to, width, 0);
  for (std::int64_t k = 0; k < n_summed; ++k)
    for (std::int64_t e = 0; e < width; ++e) to[e] += from[k * width + e];
  switch (width) {
    case 1: return slide_numbers(from, n_cells, n_summed, to[0], to);
    case 2: return slide_cells<2>(from, n_cells, n_summed, to);
    case 3: return slide_cells<3>(from, n_cells, n_summed, to);
    case 4: return slide_cells<4>(from, n_cells, n_summed, to);
    default:
      for (std::int64_t i = 0; i < (n_cells - 1) * width; ++i) to[i + width] = to[i] + (from[i + n_summed * width] - from[i]);
  }
}

template <class E>
constexpr RunningKernels::Element running_element_of(Number number) {
  return {number, running_add<E>, running_exchange<E>, running_scale<E, float>, running_scale<E, double>};
}
inline const RunningKernels* running_table() {
  static const RunningKernels kernels = {hwy::TargetName(HWY_TARGET),
                                         {running_element_of<std::uint8_t>(Number::uint8), running_element_of<std::int16_t>(Number::int16),
                                          running_element_of<std::uint16_t>(Number::uint16)},
                                         running_slide};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(running_table);
const RunningKernels& RunningKernels::best() { return best_table(HWY_DISPATCH_TABLE(running_table)); }
std::vector<const RunningKernels*> RunningKernels::all() { return all_tables(HWY_DISPATCH_TABLE(running_table)); }
const RunningKernels::Element& RunningKernels::of(Number number) const {
  return *std::find_if(std::begin(elements), std::end(elements) - 1, [&](const Element& e) { return e.number == number; });
}

}  // namespace crinkle::simd
#endif
