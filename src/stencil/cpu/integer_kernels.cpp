// Compiles the kernels of stencils of bytes once for every instruction set. Four vectors are summed at once, so that a weight and an
// address are read once for all of them. SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stencil/cpu/integer_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <cstring>
#include <type_traits>

#include "stencil/cpu/integer_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using IntegerTag = hn::ScalableTag<std::int16_t>;
inline constexpr std::int64_t integer_lanes = static_cast<std::int64_t>(hn::MaxLanes(IntegerTag()));

template <int n_points, bool are_ones>
struct IntegerSums {
  const IntegerSum& of;
  std::int64_t count() const { return n_points > 0 ? n_points : of.n_points; }

  template <int n_vectors, class Store>
  HWY_INLINE void make(std::int64_t i, const Store& store) const {
    const IntegerTag d;
    hn::Vec<IntegerTag> sums[static_cast<std::size_t>(n_vectors)];
    for (std::int64_t k = 0; k < count(); ++k) {
      const std::int16_t* const from = of.from[k] + i;
      const auto weight = hn::Set(d, of.weights[k]);
#pragma GCC unroll 4
      for (int v = 0; v < n_vectors; ++v) {
        auto x = hn::LoadU(d, from + v * integer_lanes);
        if constexpr (!are_ones) x = hn::Mul(x, weight);
        sums[v] = k == 0 ? x : hn::Add(sums[v], x);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < n_vectors; ++v) store(i + v * integer_lanes, sums[v]);
  }

  // Up to three vectors' numbers behind the last one are stored, too.
  template <class Store>
  HWY_INLINE void make_all(const Store& store) const {
    std::int64_t i = 0;
    for (; i + 4 * integer_lanes <= of.n; i += 4 * integer_lanes) make<4>(i, store);
    for (; i < of.n; i += integer_lanes) make<1>(i, store);
  }
};

template <class Store>
HWY_INLINE void with_integer_sums(const IntegerSum& sum, const Store& store) {
  if (sum.are_ones) {
    if (sum.n_points == 3) return IntegerSums<3, true>{sum}.make_all(store);
    return IntegerSums<0, true>{sum}.make_all(store);
  }
  if (sum.n_points == 2) return IntegerSums<2, false>{sum}.make_all(store);
  if (sum.n_points == 3) return IntegerSums<3, false>{sum}.make_all(store);
  return IntegerSums<0, false>{sum}.make_all(store);
}

inline void sum_integers(const IntegerSum& sum, std::int16_t* to) {
  const IntegerTag d;
  with_integer_sums(sum, [&](std::int64_t i, hn::Vec<IntegerTag> v) HWY_ATTR { hn::StoreU(v, d, to + i); });
}

// Vectors of quotients go where they belong, the last one as far as it counts.
template <class E, class Divide>
HWY_INLINE void store_quotients(const IntegerSum& sum, std::byte* to, const Divide& divide) {
  const hn::Rebind<E, IntegerTag> narrow;
  with_integer_sums(sum, [&](std::int64_t i, hn::Vec<IntegerTag> v) HWY_ATTR {
    const auto quotients = [&]() HWY_ATTR {
      if constexpr (std::is_same_v<E, std::int16_t>) return divide(v);
      else return hn::DemoteTo(narrow, divide(v));
    }();
    if (i + integer_lanes <= sum.n) {
      hn::StoreU(quotients, narrow, reinterpret_cast<E*>(to) + i);
    } else {
      HWY_ALIGN E rest[static_cast<std::size_t>(integer_lanes)];
      hn::Store(quotients, narrow, rest);
      std::memcpy(to + i * static_cast<std::int64_t>(sizeof(E)), rest, static_cast<std::size_t>(sum.n - i) * sizeof(E));
    }
  });
}

template <class E>
void sum_quotients(const IntegerSum& sum, const IntegerDivision& division, std::byte* to) {
  const IntegerTag d;
  const hn::RebindToUnsigned<IntegerTag> du;
  if (division.is_odd) {
    const auto half = hn::Set(du, static_cast<std::uint16_t>(division.half)), magic = hn::Set(du, division.magic);
    return store_quotients<E>(sum, to, [&](hn::Vec<IntegerTag> v) HWY_ATTR {
      return hn::BitCast(d, hn::ShiftRightSame(hn::MulHigh(hn::Add(hn::BitCast(du, v), half), magic), division.shift));
    });
  }
  if (division.shift == 0) return store_quotients<E>(sum, to, [&](hn::Vec<IntegerTag> v) HWY_ATTR { return v; });
  const auto below_half = hn::Set(d, static_cast<std::int16_t>(division.half - 1)), one = hn::Set(d, 1);
  store_quotients<E>(sum, to, [&](hn::Vec<IntegerTag> v) HWY_ATTR {
    const auto last_bit = hn::And(hn::ShiftRightSame(v, division.shift), one);
    return hn::ShiftRightSame(hn::Add(hn::Add(v, below_half), last_bit), division.shift);
  });
}

inline void widen_bytes(const std::byte* from, std::int64_t n, std::int16_t* to) {
  const IntegerTag d;
  const hn::Rebind<std::uint8_t, IntegerTag> narrow;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(from);
  std::int64_t i = 0;
  for (; i + integer_lanes <= n; i += integer_lanes) hn::StoreU(hn::PromoteTo(d, hn::LoadU(narrow, bytes + i)), d, to + i);
  for (; i < n; ++i) to[i] = bytes[i];
}

inline const IntegerKernels* integer_table() {
  static const IntegerKernels kernels = {hwy::TargetName(HWY_TARGET), widen_bytes, sum_integers, sum_quotients<std::uint8_t>,
                                         sum_quotients<std::int16_t>};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(integer_table);
const IntegerKernels& IntegerKernels::best() { return best_table(HWY_DISPATCH_TABLE(integer_table)); }
std::vector<const IntegerKernels*> IntegerKernels::all() { return all_tables(HWY_DISPATCH_TABLE(integer_table)); }

}  // namespace crinkle::simd
#endif
