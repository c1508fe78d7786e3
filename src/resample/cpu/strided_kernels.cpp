// Compiles the kernels of strided columns once for every instruction set. SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "resample/cpu/strided_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "resample/cpu/strided_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class E>
E strided_element(const std::byte* row, std::int64_t i) {
  E e;
  std::memcpy(&e, row + i * static_cast<std::int64_t>(sizeof e), sizeof e);
  return e;
}

// Columns [from, to): those by whole vectors, whose loads reach from the first element that is there to the last, and the others one by
// one.
template <class One, class Vector>
HWY_INLINE void for_each_column(const StridedSum& of, int groups, std::int64_t lanes, const One& one, const Vector& vector) {
  const std::int64_t head = std::min(of.n, (of.first_there + of.step - 1) / of.step);
  std::int64_t i = 0;
  for (; i < head; ++i) one(i);
  const std::int64_t end = std::min(of.n, of.n_there / of.step - groups + 1);  // columns all of whose groups are there
  for (; i + lanes <= end; i += lanes) vector(i);
  if (i < end && end - lanes >= head) {
    vector(end - lanes);  // some once more
    i = end;
  }
  for (; i < of.n; ++i) one(i);
}

inline float strided_float(const StridedSum& of, int places, std::int64_t i) {
  const auto at = [&](int k, int p) { return strided_element<float>(of.rows[k], of.step * i + p); };
  float sum = -0.0f;
  const int outer = of.is_row_inside ? places : of.n_rows, inner = of.is_row_inside ? of.n_rows : places;
  for (int a = 0; a < outer; ++a) {
    const float weight = of.is_row_inside ? of.weights[a] : of.row_weights[a];
    if (weight == 0) continue;
    float part = -0.0f;
    for (int b = 0; b < inner; ++b) {
      const float its = of.is_row_inside ? of.row_weights[b] : of.weights[b];
      if (its != 0) part = part + its * (of.is_row_inside ? at(b, a) : at(a, b));
    }
    sum = sum + weight * part;
  }
  return sum;
}

template <int step, int groups>
HWY_INLINE void sum_floats(const StridedSum& of, std::byte* out) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<hn::ScalableTag<float>>;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  constexpr int places = step * groups;
  float* const to = reinterpret_cast<float*>(out);
  const auto load = [&](int k, std::int64_t i, V* x) HWY_ATTR {
    const float* const from = reinterpret_cast<const float*>(of.rows[k]) + step * i;
#pragma GCC unroll 2
    for (int g = 0; g < groups; ++g) {
      if constexpr (step == 2) hn::LoadInterleaved2(d, from + step * g, x[2 * g], x[2 * g + 1]);
      else hn::LoadInterleaved4(d, from + step * g, x[4 * g], x[4 * g + 1], x[4 * g + 2], x[4 * g + 3]);
    }
  };
  const auto vector = [&](std::int64_t i) HWY_ATTR {
    V x[static_cast<std::size_t>(places)], sums[static_cast<std::size_t>(places)], whole = hn::Set(d, -0.0f);
#pragma GCC unroll 8
    for (int p = 0; p < places; ++p) sums[p] = whole;
    for (int k = 0; k < of.n_rows; ++k) {
      load(k, i, x);
      const auto weight = hn::Set(d, of.row_weights[k]);
      auto line = hn::Set(d, -0.0f);
#pragma GCC unroll 8
      for (int p = 0; p < places; ++p) {
        if (of.weights[p] == 0) continue;
        if (of.is_row_inside) sums[p] = hn::Add(sums[p], hn::Mul(weight, x[p]));
        else line = hn::Add(line, hn::Mul(hn::Set(d, of.weights[p]), x[p]));
      }
      if (!of.is_row_inside) whole = hn::Add(whole, hn::Mul(weight, line));
    }
    if (of.is_row_inside) {
#pragma GCC unroll 8
      for (int p = 0; p < places; ++p)
        if (of.weights[p] != 0) whole = hn::Add(whole, hn::Mul(hn::Set(d, of.weights[p]), sums[p]));
    }
    hn::StoreU(whole, d, to + i);
  };
  const auto put_float = [&](std::int64_t column) {
    const float x = strided_float(of, places, column);
    std::memcpy(out + column * static_cast<std::int64_t>(sizeof x), &x, sizeof x);
  };
  for_each_column(of, groups, lanes, put_float, vector);
}

// Half to even.
inline void put_byte(const StridedSum& of, int places, std::int64_t i, std::byte* out) {
  for (std::int64_t c = 0; c < of.width; ++c) {
    std::uint32_t sum = 0;
    for (int k = 0; k < of.n_rows; ++k)
      for (int p = 0; p < places; ++p)
        if (of.counts[p] != 0)
          sum +=
              std::uint32_t{of.row_counts[k]} * of.counts[p] * strided_element<std::uint8_t>(of.rows[k], (of.step * i + p) * of.width + c);
    if (of.shift > 0) sum = (sum + (1U << (of.shift - 1)) - 1 + ((sum >> of.shift) & 1)) >> of.shift;
    out[i * of.width + c] = static_cast<std::byte>(sum);
  }
}

#if HWY_TARGET != HWY_SCALAR
template <int width, class D, class V>
HWY_INLINE void load_columns(D d, const std::uint8_t* from, V* x) {
  if constexpr (width == 1) x[0] = hn::LoadU(d, from);
  else if constexpr (width == 2) hn::LoadInterleaved2(d, from, x[0], x[1]);
  else if constexpr (width == 3) hn::LoadInterleaved3(d, from, x[0], x[1], x[2]);
  else hn::LoadInterleaved4(d, from, x[0], x[1], x[2], x[3]);
}
template <int width, class D, class V>
HWY_INLINE void store_columns(D d, const V* x, std::uint8_t* to) {
  if constexpr (width == 1) hn::StoreU(x[0], d, to);
  else if constexpr (width == 2) hn::StoreInterleaved2(x[0], x[1], d, to);
  else if constexpr (width == 3) hn::StoreInterleaved3(x[0], x[1], x[2], d, to);
  else hn::StoreInterleaved4(x[0], x[1], x[2], x[3], d, to);
}

// Lanes of `step` bytes: pairs of them are summed in halves of a lane, and halves with each other.
template <int step, int groups, bool is_even, int width>
HWY_INLINE void sum_bytes(const StridedSum& of, std::byte* out) {
  using Lane = std::conditional_t<step == 2, std::int16_t, std::int32_t>;
  const hn::ScalableTag<Lane> d;
  const hn::Repartition<std::uint8_t, hn::ScalableTag<Lane>> bytes;
  const hn::RepartitionToWide<hn::Repartition<std::uint8_t, hn::ScalableTag<Lane>>> pairs;
  const hn::Rebind<std::uint8_t, hn::ScalableTag<Lane>> narrow;
  using V = hn::Vec<hn::ScalableTag<Lane>>;
  using P = hn::Vec<decltype(pairs)>;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  constexpr auto n_planes = static_cast<std::size_t>(width);
  const auto set = [&](int p) HWY_ATTR {  // of bytes p and p + 2 of a lane
    const int high = step == 4 ? static_cast<int>(of.counts[p + 2]) << 16 : 0;
    return hn::BitCast(pairs, hn::Set(d, static_cast<Lane>(static_cast<int>(of.counts[p]) | high)));
  };
  P even[static_cast<std::size_t>(groups)], odd[static_cast<std::size_t>(groups)];
  for (int g = 0; g < groups; ++g) {
    even[g] = set(step * g);
    odd[g] = set(step * g + 1);
  }
  const auto low_byte = hn::Set(pairs, 0xff);
  const auto rounded = [&](V whole) HWY_ATTR {
    if (of.shift == 0) return whole;
    const V tie = hn::And(hn::ShiftRightSame(whole, of.shift), hn::Set(d, 1));
    const V half = hn::Set(d, static_cast<Lane>((1 << (of.shift - 1)) - 1));
    return hn::ShiftRightSame(hn::Add(whole, hn::Add(tie, half)), of.shift);
  };
  const auto vector = [&](std::int64_t i) HWY_ATTR {
    P sums[n_planes];
#pragma GCC unroll 4
    for (int c = 0; c < width; ++c) sums[c] = hn::Zero(pairs);
    for (int k = 0; k < of.n_rows; ++k) {
      const auto* const from = reinterpret_cast<const std::uint8_t*>(of.rows[k]) + step * width * i;
#pragma GCC unroll 2
      for (int g = 0; g < groups; ++g) {
        hn::Vec<decltype(bytes)> x[n_planes];
        load_columns<width>(bytes, from + step * g, x);
#pragma GCC unroll 4
        for (int c = 0; c < width; ++c) {
          const P its = hn::BitCast(pairs, x[c]), a = hn::And(its, low_byte), b = hn::ShiftRight<8>(its);
          if constexpr (is_even) {
            sums[c] = hn::Add(sums[c], hn::Add(a, b));
          } else {
            const P line = hn::Add(hn::Mul(a, even[g]), hn::Mul(b, odd[g]));
            sums[c] = hn::Add(sums[c], hn::Mul(line, hn::Set(pairs, of.row_counts[k])));
          }
        }
      }
    }
    hn::Vec<decltype(narrow)> made[n_planes];
#pragma GCC unroll 4
    for (int c = 0; c < width; ++c) {
      V whole = hn::BitCast(d, sums[c]);
      if constexpr (step == 4) whole = hn::Add(hn::And(whole, hn::Set(d, 0xffff)), hn::ShiftRight<16>(whole));
      made[c] = hn::DemoteTo(narrow, rounded(whole));
    }
    store_columns<width>(narrow, made, reinterpret_cast<std::uint8_t*>(out) + width * i);
  };
  for_each_column(of, groups, lanes, [&](std::int64_t i) { put_byte(of, step * groups, i, out); }, vector);
}
#else  // whose vectors have no halves
template <int step, int groups, bool is_even, int width>
void sum_bytes(const StridedSum& of, std::byte* out) {
  for (std::int64_t i = 0; i < of.n; ++i) put_byte(of, step * groups, i, out);
}
#endif

inline int groups_of(const StridedSum& of) {
  for (int p = of.step; p < 2 * of.step; ++p)
    if (of.counts[p] != 0 || of.weights[p] != 0) return 2;
  return 1;
}

inline void sum_strided_floats(const StridedSum& of, std::byte* out) {
  const int groups = groups_of(of);
  if (of.step == 2) return groups == 1 ? sum_floats<2, 1>(of, out) : sum_floats<2, 2>(of, out);
  return groups == 1 ? sum_floats<4, 1>(of, out) : sum_floats<4, 2>(of, out);
}

template <int step>
void sum_bytes_of(const StridedSum& of, std::byte* out) {
  const auto is_one = [](const std::uint16_t* counts, int n) { return std::all_of(counts, counts + n, [](int c) { return c == 1; }); };
  const bool is_even = is_one(of.counts, of.step) && is_one(of.row_counts, of.n_rows);
  if (of.width == 2) return sum_bytes<step, 1, false, 2>(of, out);
  if (of.width == 3) return sum_bytes<step, 1, false, 3>(of, out);
  if (of.width == 4) return sum_bytes<step, 1, false, 4>(of, out);
  if (groups_of(of) == 2) return sum_bytes<step, 2, false, 1>(of, out);
  return is_even ? sum_bytes<step, 1, true, 1>(of, out) : sum_bytes<step, 1, false, 1>(of, out);
}

inline void sum_strided_bytes(const StridedSum& of, std::byte* out) {
  return of.step == 2 ? sum_bytes_of<2>(of, out) : sum_bytes_of<4>(of, out);
}

inline const StridedKernels* strided_table() {
  static const StridedKernels kernels = {
      .target = hwy::TargetName(HWY_TARGET),
      .sum_float32 = sum_strided_floats,
      .sum_uint8 = sum_strided_bytes,
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(strided_table);
const StridedKernels& StridedKernels::best() { return best_table(HWY_DISPATCH_TABLE(strided_table)); }
std::vector<const StridedKernels*> StridedKernels::all() { return all_tables(HWY_DISPATCH_TABLE(strided_table)); }

}  // namespace crinkle::simd
#endif
