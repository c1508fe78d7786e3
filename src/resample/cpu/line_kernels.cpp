// Compiles the kernels of lines once for every instruction set. Numbers of a vector of columns mostly lie within one or two vectors of the
// row: they are loaded as these and permuted, which takes a third of the time of gathering.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "resample/cpu/line_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include <algorithm>
#include <cstring>

#include "cpu/numbers-inl.hpp"
#include "resample/cpu/line_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using LineTag = hn::ScalableTag<T>;
template <class T>
inline constexpr std::int64_t line_lanes = static_cast<std::int64_t>(hn::MaxLanes(LineTag<T>()));

template <class T>
void set_line_places(const std::int32_t* place, LinePlaces<T>& table) {
  constexpr std::int64_t lanes = line_lanes<T>;
  const std::int64_t n_vectors = (table.n + lanes - 1) / lanes;
  table.index.resize(static_cast<std::size_t>(n_vectors * lanes));
  table.begin.resize(static_cast<std::size_t>(n_vectors));
  std::int32_t span = 0;
  for (std::int64_t v = 0; v < n_vectors; ++v) {
    const std::int32_t* const from = place + v * lanes;
    const auto [low, high] = std::minmax_element(from, from + std::min(lanes, table.n - v * lanes));
    table.begin[static_cast<std::size_t>(v)] = *low;
    span = std::max(span, *high - *low);
  }
  table.by = span < lanes ? SpreadBy::vector : span < 2 * lanes ? SpreadBy::two_vectors : SpreadBy::gather;
  for (std::int64_t i = 0; i < n_vectors * lanes; ++i) {
    using Index = typename LinePlaces<T>::Index;
    const auto begin = table.begin[static_cast<std::size_t>(i / lanes)];
    table.index[static_cast<std::size_t>(i)] = static_cast<Index>(place[std::min(i, table.n - 1)] - begin);
  }
}

template <SpreadBy by, class T>
HWY_INLINE auto line_vector(const T* from, const typename SpreadTable<T>::Index* index) {
  const LineTag<T> d;
  const hn::RebindToSigned<LineTag<T>> di;
  const auto i = hn::LoadU(di, index);
  if constexpr (by == SpreadBy::vector) {
    return hn::TableLookupLanes(hn::LoadU(d, from), hn::IndicesFromVec(d, i));
  } else if constexpr (by == SpreadBy::two_vectors) {
    const auto lanes = hn::Set(di, static_cast<typename SpreadTable<T>::Index>(line_lanes<T>));
    const auto in_one = hn::IndicesFromVec(d, hn::And(i, hn::Sub(lanes, hn::Set(di, 1))));
    const auto low = hn::TableLookupLanes(hn::LoadU(d, from), in_one);
    const auto high = hn::TableLookupLanes(hn::LoadU(d, from + line_lanes<T>), in_one);
    return hn::IfThenElse(hn::RebindMask(d, hn::Lt(i, lanes)), low, high);
  } else {
    return hn::GatherIndex(d, from, i);
  }
}

template <int n_taps, SpreadBy by, bool has_zero, class T>
HWY_INLINE void spread_vectors(const SpreadTable<T>& table, const T* row, T* line) {
  const LineTag<T> d;
  constexpr std::int64_t lanes = line_lanes<T>;
  for (std::int64_t v = 0; v < static_cast<std::int64_t>(table.begin.size()); ++v) {
    const T* const from = row + table.begin[static_cast<std::size_t>(v)];
    const auto* const index = table.index.data() + v * lanes;
    auto sum = hn::Set(d, -T{0});
#pragma GCC unroll 4
    for (int k = 0; k < n_taps; ++k) {
      const auto x = line_vector<by, T>(from + k * table.step, index);
      if constexpr (n_taps == 1) {
        sum = x;
      } else {
        const auto weight = hn::LoadU(d, table.weights[k].data() + v * lanes);
        auto term = hn::Mul(weight, x);
        if constexpr (has_zero) term = hn::IfThenElse(hn::Eq(weight, hn::Zero(d)), hn::Set(d, -T{0}), term);
        sum = k == 0 && !has_zero ? term : hn::Add(sum, term);
      }
    }
    hn::StoreU(sum, d, line + v * lanes);
  }
}

template <int n_taps, SpreadBy by, class T>
HWY_INLINE void spread_any(const SpreadTable<T>& table, const T* row, T* line) {
  if (n_taps > 1 && table.has_zero) spread_vectors<n_taps, by, true>(table, row, line);
  else spread_vectors<n_taps, by, false>(table, row, line);
}

template <int n_taps, class T>
void spread_line(const SpreadTable<T>& table, const T* row, T* line) {
  switch (table.by) {
    case SpreadBy::vector: return spread_any<n_taps, SpreadBy::vector>(table, row, line);
    case SpreadBy::two_vectors: return spread_any<n_taps, SpreadBy::two_vectors>(table, row, line);
    case SpreadBy::gather: return spread_any<n_taps, SpreadBy::gather>(table, row, line);
  }
}

// value(i): the vector of sums from i on.
template <class E, class T, class Value>
HWY_INLINE void store_line_of(std::int64_t n, std::byte* out, const Value& value) {
  constexpr std::int64_t lanes = line_lanes<T>;
  const hn::Rebind<E, LineTag<T>> to;
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(elements_of_numbers<E, T>(value(i)), to, reinterpret_cast<E*>(out) + i);
  if (i == n) return;
  HWY_ALIGN E rest[static_cast<std::size_t>(lanes)];
  hn::Store(elements_of_numbers<E, T>(value(i)), to, rest);
  std::memcpy(out + i * static_cast<std::int64_t>(sizeof(E)), rest, static_cast<std::size_t>(n - i) * sizeof(E));
}

template <class E, class T, int n_lines>
HWY_INLINE void sum_lines_of(const LineSum<T>& of, std::byte* out) {
  const LineTag<T> d;
  using V = hn::Vec<LineTag<T>>;
  V weights[static_cast<std::size_t>(n_lines)];
  const T* lines[static_cast<std::size_t>(n_lines)];
#pragma GCC unroll 4
  for (int y = 0; y < n_lines; ++y) {
    weights[y] = hn::Set(d, of.weights[y]);
    lines[y] = of.lines[y];
  }
  store_line_of<E, T>(of.n, out, [&](std::int64_t i) HWY_ATTR {
    V sum = hn::Mul(weights[0], hn::LoadU(d, lines[0] + i));
#pragma GCC unroll 4
    for (int y = 1; y < n_lines; ++y) sum = hn::Add(sum, hn::Mul(weights[y], hn::LoadU(d, lines[y] + i)));
    return sum;
  });
}

template <class E, class T>
HWY_INLINE void sum_planes_of(const LineSum<T>& of, std::byte* out) {
  const LineTag<T> d;
  store_line_of<E, T>(of.n, out, [&](std::int64_t i) HWY_ATTR {
    auto whole = hn::Set(d, -T{0});
    for (int z = 0; z < of.n_planes; ++z) {
      auto plane = hn::Set(d, -T{0});
      for (int y = 0; y < of.n_lines; ++y)
        plane = hn::Add(plane, hn::Mul(hn::Set(d, of.weights[y]), hn::LoadU(d, of.lines[z * of.n_lines + y] + i)));
      whole = hn::Add(whole, hn::Mul(hn::Set(d, of.of_planes[z]), plane));
    }
    return whole;
  });
}

template <class E, class T>
void sum_lines(const LineSum<T>& of, std::byte* out) {
  if (of.n_planes > 0) return sum_planes_of<E>(of, out);
  switch (of.n_lines) {
    case 1: return sum_lines_of<E, T, 1>(of, out);
    case 2: return sum_lines_of<E, T, 2>(of, out);
    case 3: return sum_lines_of<E, T, 3>(of, out);
    default: return sum_lines_of<E, T, 4>(of, out);
  }
}

template <SpreadBy by, bool has_zero, class T>
HWY_INLINE void window_vectors(const WindowTable<T>& table, const T* row, T* line) {
  const LineTag<T> d;
  constexpr std::int64_t lanes = line_lanes<T>;
  for (std::int64_t v = 0; v < static_cast<std::int64_t>(table.begin.size()); ++v) {
    const T* const from = row + table.begin[static_cast<std::size_t>(v)];
    const T* const weights = table.weights.data() + v * lanes;
    const auto* const index = table.index.data() + v * lanes;
    auto sum = hn::Set(d, -T{0});
    for (std::int64_t k = 0; k < table.n_taps; ++k) {
      const auto weight = hn::LoadU(d, weights + k * table.pitch);
      auto term = hn::Mul(weight, line_vector<by, T>(from + k * table.step, index));
      if constexpr (has_zero) term = hn::IfThenElse(hn::Eq(weight, hn::Zero(d)), hn::Set(d, -T{0}), term);
      sum = hn::Add(sum, term);
    }
    hn::StoreU(sum, d, line + v * lanes);
  }
}

template <SpreadBy by, class T>
HWY_INLINE void window_any(const WindowTable<T>& table, const T* row, T* line) {
  if (table.has_zero) window_vectors<by, true>(table, row, line);
  else window_vectors<by, false>(table, row, line);
}

template <class T>
void window_line(const WindowTable<T>& table, const T* row, T* line) {
  switch (table.by) {
    case SpreadBy::vector: return window_any<SpreadBy::vector>(table, row, line);
    case SpreadBy::two_vectors: return window_any<SpreadBy::two_vectors>(table, row, line);
    case SpreadBy::gather: return window_any<SpreadBy::gather>(table, row, line);
  }
}

template <class E, class T>
HWY_INLINE auto numbers_at(const std::byte* from) {
  const LineTag<T> d;
  const auto* const at = reinterpret_cast<const E*>(from);
  if constexpr (std::is_same_v<E, T>) return hn::LoadU(d, at);
  else return hn::ConvertTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, LineTag<T>>(), hn::LoadU(hn::Rebind<E, LineTag<T>>(), at)));
}

template <class E, class T>
void add_rows(const RowSum<T>& of, T* to) {
  const LineTag<T> d;
  constexpr std::int64_t lanes = line_lanes<T>;
  constexpr auto size = static_cast<std::int64_t>(sizeof(E));
  std::int64_t i = 0;
  for (; i + lanes <= of.n; i += lanes) {
    auto sum = of.is_continued ? hn::LoadU(d, to + i) : hn::Set(d, -T{0});
    for (int k = 0; k < of.n_rows; ++k) sum = hn::Add(sum, hn::Mul(hn::Set(d, of.weights[k]), numbers_at<E, T>(of.rows[k] + i * size)));
    hn::StoreU(sum, d, to + i);
  }
  for (; i < of.n; ++i) {
    T sum = of.is_continued ? to[i] : -T{0};
    for (int k = 0; k < of.n_rows; ++k) {
      E e;
      std::memcpy(&e, of.rows[k] + i * size, sizeof e);
      sum = sum + of.weights[k] * static_cast<T>(e);
    }
    to[i] = sum;
  }
}

template <class T>
constexpr LineKernelsOf<T> line_kernels_of() {
  return {
      .set_places = set_line_places<T>,
      .spread = {spread_line<1, T>, spread_line<2, T>, spread_line<4, T>},
      .sum = sum_lines<T, T>,
      .window = window_line<T>,
      .add = add_rows<T, T>,
  };
}

inline const LineKernels* line_table() {
  static const LineKernels kernels = {
      .target = hwy::TargetName(HWY_TARGET),
      .float32 = line_kernels_of<float>(),
      .float64 = line_kernels_of<double>(),
      .sum_uint8 = sum_lines<std::uint8_t, float>,
      .sum_uint16 = sum_lines<std::uint16_t, float>,
      .sum_int16 = sum_lines<std::int16_t, float>,
      .add_uint8 = add_rows<std::uint8_t, float>,
      .add_uint16 = add_rows<std::uint16_t, float>,
      .add_int16 = add_rows<std::int16_t, float>,
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(line_table);
const LineKernels& LineKernels::best() { return best_table(HWY_DISPATCH_TABLE(line_table)); }
std::vector<const LineKernels*> LineKernels::all() { return all_tables(HWY_DISPATCH_TABLE(line_table)); }

}  // namespace crinkle::simd
#endif
