// Compiles the kernel of rounded sums once for every instruction set. SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stencil/cpu/rounded_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <algorithm>
#include <cstring>

#include "base/number_element.hpp"
#include "cpu/numbers-inl.hpp"
#include "stencil/cpu/rounded_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RoundedTag = hn::ScalableTag<float>;
using ExactTag = hn::ScalableTag<double>;
inline constexpr auto rounded_lanes = static_cast<std::int64_t>(hn::MaxLanes(RoundedTag()));
inline constexpr auto exact_lanes = static_cast<std::int64_t>(hn::MaxLanes(ExactTag()));

// n_vectors vectors of a weighted sum from element i on, each to store(i, sum).
template <int n_vectors, class Store>
HWY_INLINE void rounded_vectors(const float* const* from, const float* weights, std::int64_t n_points, std::int64_t i, const Store& store) {
  const RoundedTag d;
  hn::Vec<RoundedTag> sums[static_cast<std::size_t>(n_vectors)];
  for (std::int64_t k = 0; k < n_points; ++k) {
    const float* const x = from[k] + i;
    const auto weight = hn::Set(d, weights[k]);
#pragma GCC unroll 4
    for (int v = 0; v < n_vectors; ++v) {
      const auto number = hn::LoadU(d, x + v * rounded_lanes);
      sums[v] = k == 0 ? hn::Mul(weight, number) : hn::MulAdd(weight, number, sums[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < n_vectors; ++v) store(i + v * rounded_lanes, sums[v]);
}

template <class Store>
HWY_INLINE void rounded_sums(const float* const* from, const float* weights, std::int64_t n_points, std::int64_t n, const Store& store) {
  std::int64_t i = 0;
  for (; i + 4 * rounded_lanes <= n; i += 4 * rounded_lanes) rounded_vectors<4>(from, weights, n_points, i, store);
  for (; i < n; i += rounded_lanes) rounded_vectors<1>(from, weights, n_points, i, store);
}

// The definition's sums of a vector from element i on.
template <class E>
HWY_NOINLINE void exact_sums(const RoundedSum& of, std::int64_t i, E* to) {
  const ExactTag d;
  const hn::Rebind<float, ExactTag> narrow;
  const auto add = [&](auto& sum, std::int64_t k, double weight, auto number) HWY_ATTR {
    const auto term = hn::Mul(hn::Set(d, weight), number);
    sum = k == 0 ? term : hn::Add(sum, term);
  };
  if (of.n_rows > 0) {
    const std::int64_t n = rounded_lanes + of.n_sums - of.n;
    for (std::int64_t j = 0; j < n; j += exact_lanes) {
      auto sum = hn::Zero(d);
      for (std::int64_t k = 0; k < of.n_rows; ++k)
        add(sum, k, of.exact_row_weights[k], hn::PromoteTo(d, hn::LoadU(narrow, of.rows[k] + i + j)));
      hn::StoreU(sum, d, of.exact_sums + j);
    }
  }
  HWY_ALIGN double made[static_cast<std::size_t>(rounded_lanes)];
  for (std::int64_t j = 0; j < rounded_lanes; j += exact_lanes) {
    auto sum = hn::Zero(d);
    for (std::int64_t k = 0; k < of.n_points; ++k) {
      if (of.n_rows > 0) add(sum, k, of.exact_weights[k], hn::LoadU(d, of.exact_sums + (of.from[k] - of.sums) + j));
      else add(sum, k, of.exact_weights[k], hn::PromoteTo(d, hn::LoadU(narrow, of.from[k] + i + j)));
    }
    hn::StoreU(sum, d, made + j);
  }
  for (std::int64_t j = 0; j < rounded_lanes; ++j) to[j] = to_element<E>(made[j]);
}

template <class E>
void sum_rounded(const RoundedSum& of, std::byte* to) {
  const RoundedTag d;
  const hn::Rebind<E, RoundedTag> narrow;
  if (of.n_rows > 0)
    rounded_sums(of.rows, of.row_weights, of.n_rows, of.n_sums,
                 [&](std::int64_t i, hn::Vec<RoundedTag> sum) HWY_ATTR { hn::StoreU(sum, d, of.sums + i); });
  const auto certain = hn::Set(d, of.certain);
  rounded_sums(of.from, of.weights, of.n_points, of.n, [&](std::int64_t i, hn::Vec<RoundedTag> sum) HWY_ATTR {
    const auto whole = hn::Round(sum);
    const bool is_whole_vector = i + rounded_lanes <= of.n;
    const auto is_certain = hn::Le(hn::Abs(hn::Sub(sum, whole)), certain);
    if (HWY_LIKELY(is_whole_vector && hn::AllTrue(d, is_certain)))
      return hn::StoreU(elements_of_numbers<E, float>(sum), narrow, reinterpret_cast<E*>(to) + i);
    HWY_ALIGN E made[static_cast<std::size_t>(rounded_lanes)];
    exact_sums(of, i, made);
    const auto n = static_cast<std::size_t>(std::min(rounded_lanes, of.n - i));
    std::memcpy(to + i * static_cast<std::int64_t>(sizeof(E)), made, n * sizeof(E));
  });
}

inline const RoundedKernels* rounded_table() {
  static const RoundedKernels kernels = {hwy::TargetName(HWY_TARGET), sum_rounded<std::uint8_t>, sum_rounded<std::int16_t>};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(rounded_table);
const RoundedKernels& RoundedKernels::best() { return best_table(HWY_DISPATCH_TABLE(rounded_table)); }
std::vector<const RoundedKernels*> RoundedKernels::all() { return all_tables(HWY_DISPATCH_TABLE(rounded_table)); }

}  // namespace crinkle::simd
#endif
