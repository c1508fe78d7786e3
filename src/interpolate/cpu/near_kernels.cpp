// The loops of near_kernels.hpp, compiled once for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpolate/cpu/near_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "interpolate/cpu/half_powers-inl.hpp"
#include "interpolate/cpu/near_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using NearTag = hn::CappedTag<double, 8>;
using NearVec = hn::Vec<NearTag>;
inline constexpr std::size_t near_lanes = hn::MaxLanes(NearTag());
inline constexpr std::int64_t near_step = static_cast<std::int64_t>(near_lanes);
inline constexpr std::int64_t slot_bits = NearCandidates::slots - 1;

template <class D>
HWY_INLINE unsigned bits_of(D d, hn::Mask<D> mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
}

/// The lanes to which set bits go, as 32-bit halves: Highway's own tables are copied to the stack by g++ 12 each time they are used.
struct PackedLanes {
  static constexpr std::size_t n = near_lanes <= 4 ? near_lanes : 1;
  alignas(32) std::uint32_t halves[std::size_t{1} << n][2 * n] = {};

  constexpr PackedLanes() {
    for (std::size_t bits = 0; bits < std::size_t{1} << n; ++bits) {
      std::size_t to = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if ((bits >> i & 1) == 0) continue;
        halves[bits][2 * to] = static_cast<std::uint32_t>(2 * i);
        halves[bits][2 * to + 1] = static_cast<std::uint32_t>(2 * i + 1);
        ++to;
      }
    }
  }
};
inline constexpr PackedLanes packed_lanes;

/// Stores the lanes of a mask, whose bits are given, one after the other; what lies behind them is overwritten.
template <class D>
HWY_INLINE void store_packed(hn::Vec<D> v, hn::Mask<D> mask, unsigned bits, D d, hn::TFromD<D>* to) {
  if constexpr (near_lanes == 1) {
    hn::StoreU(v, d, to);
  } else if constexpr (near_lanes <= 4) {
    const hn::Repartition<std::uint32_t, D> halves;
    const auto order = hn::IndicesFromVec(halves, hn::LoadU(halves, packed_lanes.halves[bits]));
    hn::StoreU(hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(halves, v), order)), d, to);
  } else {
    hn::CompressStore(v, mask, d, to);
  }
}

/// The numbers of set bits, one after the other.
struct PackedNumbers {
  std::int64_t of[16][4] = {};

  constexpr PackedNumbers() {
    for (unsigned bits = 0; bits < 16; ++bits)
      for (unsigned i = 0, to = 0; i < 4; ++i)
        if ((bits >> i & 1) != 0) of[bits][to++] = i;
  }
};
inline constexpr PackedNumbers packed_numbers;

/// How far [least, most] is from the box along each axis, squared and added up as in metric.hpp.
template <int n_dimensions, class D, class At>
HWY_INLINE hn::Vec<D> square_apart(D d, const NearBox& box, const At& at) {
  auto sum = hn::Zero(d);
#pragma GCC unroll 3
  for (int a = 0; a < n_dimensions; ++a) {
    const auto [least, most] = at(a);
    const auto away = hn::Max(hn::Max(hn::Sub(least, hn::Set(d, box.most[a])), hn::Sub(hn::Set(d, box.least[a]), most)), hn::Zero(d));
    sum = a == 0 ? hn::Mul(away, away) : hn::Add(sum, hn::Mul(away, away));
  }
  return sum;
}

template <class V>
struct Between {
  V least, most;
};

template <int n_dimensions>
void reach_places(const double* places, std::int64_t n, const double* const* targets, std::int64_t n_targets, double* squares) {
  const NearTag d;
  for (std::int64_t t = 0; t < n_targets; t += near_step) {
    NearVec q[3];
#pragma GCC unroll 3
    for (int a = 0; a < n_dimensions; ++a) q[a] = hn::LoadU(d, targets[a] + t);
    auto most = hn::Zero(d);
    for (std::int64_t i = 0; i < n; ++i) {
      auto square = hn::Zero(d);
#pragma GCC unroll 3
      for (int a = 0; a < n_dimensions; ++a) {
        const auto away = hn::Sub(hn::Set(d, places[i * n_dimensions + a]), q[a]);
        square = a == 0 ? hn::Mul(away, away) : hn::Add(square, hn::Mul(away, away));
      }
      most = hn::Max(most, square);
    }
    hn::StoreU(hn::Min(most, hn::LoadU(d, squares + t)), d, squares + t);
  }
}

template <int n_dimensions>
std::int64_t open_nodes(const double* boxes, const std::int64_t* nodes, std::int64_t n, const NearBox& box, std::int64_t* to) {
  using D = hn::CappedTag<double, 4>;
  const D d;
  constexpr std::size_t lanes = hn::MaxLanes(D());
  const auto limit = hn::Set(d, box.square);
  std::int64_t* const from = to;
  for (std::int64_t i = 0; i < n; ++i) {
    const double* const four = boxes + nodes[i] * (8 * n_dimensions);
    unsigned bits = 0;
#pragma GCC unroll 4
    for (std::size_t u = 0; u < 4; u += lanes) {
      const auto square = square_apart<n_dimensions>(d, box, [&](int a) {
        return Between<hn::Vec<D>>{hn::LoadU(d, four + 4 * static_cast<std::size_t>(a) + u),
                                   hn::LoadU(d, four + 4 * static_cast<std::size_t>(n_dimensions + a) + u)};
      });
      bits |= bits_of(d, hn::Le(square, limit)) << u;
    }
    const std::int64_t first = 4 * nodes[i];
    for (int u = 0; u < 4; ++u) to[u] = first + packed_numbers.of[bits][u];
    to += std::popcount(bits);
  }
  return to - from;
}

template <int n_dimensions>
void collect_samples(const double* leaves, const std::int64_t* nodes, std::int64_t n, const NearBox& box, NearCandidates& candidates) {
  const NearTag d;
  const hn::RebindToSigned<NearTag> of_slots;
  const auto limit = hn::Set(d, box.square);
  std::int64_t to = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double* const leaf = leaves + nodes[i] * (8 * n_dimensions);
#pragma GCC unroll 8
    for (std::size_t u = 0; u < 8; u += near_lanes) {
      NearVec x[3];
#pragma GCC unroll 3
      for (int a = 0; a < n_dimensions; ++a) x[a] = hn::LoadU(d, leaf + 8 * static_cast<std::size_t>(a) + u);
      const auto mask = hn::Le(square_apart<n_dimensions>(d, box, [&](int a) { return Between<NearVec>{x[a], x[a]}; }), limit);
      const unsigned bits = bits_of(d, mask);
#pragma GCC unroll 3
      for (int a = 0; a < n_dimensions; ++a) store_packed(x[a], mask, bits, d, candidates.place[a] + to);
      const auto slots = hn::Iota(of_slots, 8 * nodes[i] + static_cast<std::int64_t>(u));
      store_packed(slots, hn::RebindMask(of_slots, mask), bits, of_slots, candidates.at + to);
      to += std::popcount(bits);
    }
  }
  candidates.n = to;
  for (int a = 0; a < n_dimensions; ++a) hn::StoreU(hn::Set(d, std::numeric_limits<double>::infinity()), d, candidates.place[a] + to);
}

template <int n_dimensions>
std::int64_t measure_candidates(const NearCandidates& candidates, const double* q, double bound) {
  const NearTag d;
  const hn::RebindToSigned<NearTag> bits_tag;
  const auto limit = hn::Set(d, bound);
  const auto square_bits = hn::Set(bits_tag, ~slot_bits), step = hn::Set(bits_tag, near_step);
  auto number = hn::Iota(bits_tag, 0);
  double* to = candidates.keys;
  for (std::int64_t i = 0; i < candidates.n; i += near_step) {
    auto square = hn::Zero(d);
#pragma GCC unroll 3
    for (int a = 0; a < n_dimensions; ++a) {
      const auto away = hn::Sub(hn::LoadU(d, candidates.place[a] + i), hn::Set(d, q[a]));
      square = a == 0 ? hn::Mul(away, away) : hn::Add(square, hn::Mul(away, away));
    }
    hn::StoreU(square, d, candidates.squares + i);
    const auto mask = hn::Le(square, limit);
    const unsigned bits = bits_of(d, mask);
    const auto key = hn::BitCast(d, hn::Or(hn::And(hn::BitCast(bits_tag, square), square_bits), number));
    store_packed(key, mask, bits, d, to);
    to += std::popcount(bits);
    number = hn::Add(number, step);
  }
  return to - candidates.keys;
}

/// Keys are all different: the place of one is the number of those that are less.
inline void sort_keys(const NearCandidates& candidates, std::int64_t n) {
  constexpr std::int64_t most_ranked = 96;
  const NearTag d;
  const hn::RebindToSigned<NearTag> bits_tag;
  if (n > most_ranked) {
    for (std::int64_t i = 0; i < n; ++i) candidates.sorted[i] = std::bit_cast<std::int64_t>(candidates.keys[i]);
    std::sort(candidates.sorted, candidates.sorted + n);
    return;
  }
  constexpr std::size_t together = near_lanes <= 2 ? 4 : near_lanes <= 4 ? 3 : 2;
  constexpr std::int64_t step = static_cast<std::int64_t>(together) * near_step;
  for (std::int64_t i = 0; i < n; i += step) {
    NearVec key[together], rank[together];
#pragma GCC unroll 4
    for (std::size_t u = 0; u < together; ++u) {
      key[u] = hn::LoadU(d, candidates.keys + i + static_cast<std::int64_t>(u) * near_step);
      rank[u] = hn::Zero(d);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      const auto other = hn::Set(d, candidates.keys[j]);
#pragma GCC unroll 4
      for (std::size_t u = 0; u < together; ++u)
        rank[u] = hn::BitCast(d, hn::Sub(hn::BitCast(bits_tag, rank[u]), hn::BitCast(bits_tag, hn::VecFromMask(d, hn::Lt(other, key[u])))));
    }
    std::int64_t ranks[together * near_lanes];
#pragma GCC unroll 4
    for (std::size_t u = 0; u < together; ++u) hn::StoreU(hn::BitCast(bits_tag, rank[u]), bits_tag, ranks + u * near_lanes);
    const std::int64_t n_here = std::min(step, n - i);
    for (std::int64_t u = 0; u < n_here; ++u) candidates.sorted[ranks[u]] = std::bit_cast<std::int64_t>(candidates.keys[i + u]);
  }
}

inline NearVec any_powers(NearVec ratio, double power) {
  const NearTag d;
  double lanes[near_lanes];
  hn::StoreU(ratio, d, lanes);
  for (double& lane : lanes) lane = std::pow(lane, power / 2);
  return hn::LoadU(d, lanes);
}

inline void sum_targets(const NearTargets& targets) {
  const NearTag d;
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0), smoothing = hn::Set(d, targets.smoothing);
  const std::int64_t k = targets.k;
  constexpr std::int64_t pitch = NearTargets::together;
  for (std::int64_t t = 0; t < targets.n; t += near_step) {
    const auto least = hn::Add(hn::LoadU(d, targets.squares + t), smoothing);
    const auto is_away = hn::Gt(least, zero);
    auto all = zero;
    for (std::int64_t i = 0; i < k; ++i) {
      const auto square = hn::Add(hn::LoadU(d, targets.squares + i * pitch + t), smoothing);
      const auto of_hit = hn::IfThenElseZero(hn::Eq(square, zero), one);
      const auto power =
          half_powers(hn::Div(least, square), targets.power, [&](NearVec ratio) HWY_ATTR { return any_powers(ratio, targets.power); });
      auto w = hn::IfThenElse(is_away, power, of_hit);
      if (targets.scales != nullptr) w = hn::Mul(w, hn::LoadU(d, targets.scales + i * pitch + t));
      hn::StoreU(w, d, targets.weights + i * pitch + t);
      all = hn::Add(all, w);
    }
    for (std::int64_t c = 0; c < targets.n_columns; ++c) {
      const double* const values = targets.values + c * k * pitch + t;
      const auto first = hn::LoadU(d, values), low = hn::Set(d, targets.least[c]), high = hn::Set(d, targets.most[c]);
      auto sum = zero;
      for (std::int64_t i = 0; i < k; ++i) {
        const auto away = hn::Sub(hn::LoadU(d, values + i * pitch), first);
        sum = hn::Add(sum, hn::Mul(hn::LoadU(d, targets.weights + i * pitch + t), away));
      }
      const auto mean = hn::Add(first, hn::Div(sum, all));
      hn::StoreU(hn::IfThenElse(hn::Lt(mean, low), low, hn::IfThenElse(hn::Lt(high, mean), high, mean)), d, targets.out + c * pitch + t);
    }
  }
}

template <int n_dimensions>
constexpr NearLoops near_loops() {
  return {reach_places<n_dimensions>, open_nodes<n_dimensions>, collect_samples<n_dimensions>, measure_candidates<n_dimensions>};
}

inline const NearKernels* near_table() {
  static const NearKernels kernels{hwy::TargetName(HWY_TARGET), {near_loops<2>(), near_loops<3>()}, sort_keys, sum_targets};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(near_table);
const NearKernels& NearKernels::best() { return best_table(HWY_DISPATCH_TABLE(near_table)); }
std::vector<const NearKernels*> NearKernels::all() { return all_tables(HWY_DISPATCH_TABLE(near_table)); }

}  // namespace crinkle::simd
#endif
