// Distances from one point to those of a range: vectors along the range, four or more at once, so that a feature of the one point is read
// once for all of them. What is written begins and ends anywhere; between, whole 64-byte lines leave together.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_SIMPLEX_DISTANCES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_SIMPLEX_DISTANCES_INL
#undef CRINKLE_SIMPLEX_DISTANCES_INL
#else
#define CRINKLE_SIMPLEX_DISTANCES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "pairs/cpu/pair_kernels.hpp"
#include "pairs/squares.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::int64_t pair_line = 64;  // bytes
inline constexpr int vectors_at_once = 4;      // or as many as fill a line; with fewer, sums wait for each other

template <class T>
using PairTag = hn::ScalableTag<T>;
template <class T>
using PairVec = hn::Vec<PairTag<T>>;
template <class T>
using PairMask = hn::Mask<PairTag<T>>;
template <class T>
inline constexpr int pair_lanes = static_cast<int>(hn::MaxLanes(PairTag<T>()));
template <class T>
inline constexpr std::int64_t in_line = pair_line / static_cast<std::int64_t>(sizeof(T));  // elements
template <class T>
inline constexpr int vectors_of_line = static_cast<int>(in_line<T>) / pair_lanes<T>;
/// Lines of results T that are made at once of vectors of C.
template <class T, class C>
inline constexpr int lines_at_once = std::max(1, vectors_at_once* pair_lanes<C> / static_cast<int>(in_line<T>));

// Metrics: of a first feature, of the next one, of the sum.
struct SquaredDistance {
  template <class T>
  static HWY_INLINE PairVec<T> first(PairVec<T> x, PairVec<T> y) {
    const PairVec<T> d = hn::Sub(x, y);
    return hn::Mul(d, d);
  }
  template <class T>
  static HWY_INLINE PairVec<T> next(PairVec<T> sum, PairVec<T> x, PairVec<T> y) {
    return hn::Add(sum, first<T>(x, y));
  }
  template <class T>
  static HWY_INLINE PairVec<T> last(PairVec<T> sum) {
    return sum;
  }
};
struct EuclideanDistance : SquaredDistance {
  template <class T>
  static HWY_INLINE PairVec<T> last(PairVec<T> sum) {
    return hn::Sqrt(sum);
  }
};
struct ManhattanDistance {
  template <class T>
  static HWY_INLINE PairVec<T> first(PairVec<T> x, PairVec<T> y) {
    return hn::Abs(hn::Sub(x, y));
  }
  template <class T>
  static HWY_INLINE PairVec<T> next(PairVec<T> sum, PairVec<T> x, PairVec<T> y) {
    return hn::Add(sum, first<T>(x, y));
  }
  template <class T>
  static HWY_INLINE PairVec<T> last(PairVec<T> sum) {
    return sum;
  }
};
// Numbers that are not negative are in the order of their bits, and NaN is above them all: it stays.
struct ChebyshevDistance {
  template <class T>
  static HWY_INLINE PairVec<T> first(PairVec<T> x, PairVec<T> y) {
    return hn::Abs(hn::Sub(x, y));
  }
  template <class T>
  static HWY_INLINE PairVec<T> next(PairVec<T> most, PairVec<T> x, PairVec<T> y) {
    const hn::RebindToSigned<PairTag<T>> bits;
    return hn::BitCast(PairTag<T>(), hn::Max(hn::BitCast(bits, most), hn::BitCast(bits, first<T>(x, y))));
  }
  template <class T>
  static HWY_INLINE PairVec<T> last(PairVec<T> most) {
    return most;
  }
};

template <bool is_streaming, class T>
HWY_INLINE void put_pairs(PairVec<T> v, T* to) {
  if constexpr (is_streaming) {
    hn::Stream(v, PairTag<T>(), to);
  } else {
    hn::StoreU(v, PairTag<T>(), to);
  }
}

// n_lines whole lines of results from point `begin` on.
template <class Measure, class T>
struct Differences {
  using C = T;

  /// v = the sums of n vectors of points.
  template <int n>
  static HWY_INLINE void sum(const Planes<T>& planes, const T* x, std::int64_t begin, PairVec<T>* v) {
    const PairTag<T> d;
    const T* y = planes.first + begin;
    PairVec<T> of_x = hn::Set(d, x[0]);
#pragma GCC unroll 16
    for (int u = 0; u < n; ++u) v[u] = Measure::template first<T>(of_x, hn::LoadU(d, y + u * pair_lanes<T>));
    for (std::int64_t f = 1; f < planes.n_features; ++f) {
      y += planes.pitch;
      of_x = hn::Set(d, x[f]);
#pragma GCC unroll 16
      for (int u = 0; u < n; ++u) v[u] = Measure::template next<T>(v[u], of_x, hn::LoadU(d, y + u * pair_lanes<T>));
    }
  }

  template <int n_lines, bool is_streaming>
  static HWY_INLINE void run(const Planes<T>& planes, const T* x, std::int64_t begin, T* out) {
    constexpr int n = n_lines * vectors_of_line<T>;
    PairVec<T> v[static_cast<std::size_t>(n)];
    sum<n>(planes, x, begin, v);
#pragma GCC unroll 16
    for (int u = 0; u < n; ++u) v[u] = Measure::template last<T>(v[u]);
#pragma GCC unroll 16
    for (int u = 0; u < n; ++u) put_pairs<is_streaming>(v[u], out + u * pair_lanes<T>);
  }
};

// The factor for differences, given the sum of their squares: 1 where that is plain, and where it is NaN.
template <class T>
HWY_INLINE PairVec<T> scale_for(PairVec<T> sum) {
  using Range = SquareRange<T>;
  const PairTag<T> d;
  const PairVec<T> high = hn::IfThenElse(hn::Eq(sum, hn::Set(d, Range::infinity)), hn::Set(d, Range::down), hn::Set(d, T{1}));
  return hn::IfThenElse(hn::Lt(sum, hn::Set(d, Range::least)), hn::Set(d, Range::up), high);
}
template <class T>
HWY_INLINE PairMask<T> is_plain(PairVec<T> sum) {
  const PairTag<T> d;
  return hn::And(hn::Ge(sum, hn::Set(d, SquareRange<T>::least)), hn::Le(sum, hn::Set(d, SquareRange<T>::most)));
}

// Euclidean distances of points of any size: where a sum of squares is not plain, its differences are multiplied first.
template <class T>
struct ScaledEuclidean {
  using C = T;

  static HWY_INLINE PairVec<T> distance(const Planes<T>& planes, const T* x, std::int64_t at, PairVec<T> plain_sum) {
    const PairTag<T> d;
    const PairVec<T> scale = scale_for<T>(plain_sum);
    PairVec<T> sum = hn::Zero(d);
    for (std::int64_t f = 0; f < planes.n_features; ++f) {
      const PairVec<T> apart = hn::Mul(hn::Sub(hn::Set(d, x[f]), hn::LoadU(d, planes.first + f * planes.pitch + at)), scale);
      sum = hn::Add(sum, hn::Mul(apart, apart));
    }
    return hn::Div(hn::Sqrt(sum), scale);
  }

  template <int n_lines, bool is_streaming>
  static HWY_INLINE void run(const Planes<T>& planes, const T* x, std::int64_t begin, T* out) {
    constexpr int n = n_lines * vectors_of_line<T>;
    PairVec<T> v[static_cast<std::size_t>(n)];
    Differences<SquaredDistance, T>::template sum<n>(planes, x, begin, v);
    PairMask<T> are_plain = is_plain<T>(v[0]);
#pragma GCC unroll 16
    for (int u = 1; u < n; ++u) are_plain = hn::And(are_plain, is_plain<T>(v[u]));
    if (HWY_LIKELY(hn::AllTrue(PairTag<T>(), are_plain))) {
#pragma GCC unroll 16
      for (int u = 0; u < n; ++u) v[u] = hn::Sqrt(v[u]);
    } else {
      for (int u = 0; u < n; ++u) v[u] = distance(planes, x, begin + u * pair_lanes<T>, v[u]);
    }
#pragma GCC unroll 16
    for (int u = 0; u < n; ++u) put_pairs<is_streaming>(v[u], out + u * pair_lanes<T>);
  }
};

HWY_INLINE void put_narrowed(PairVec<double> v, double* to) { hn::StoreU(v, PairTag<double>(), to); }
HWY_INLINE void put_narrowed(PairVec<double> v, float* to) {
  const hn::Rebind<float, PairTag<double>> narrow;
  hn::StoreU(hn::DemoteTo(narrow, v), narrow, to);
}

// 1 − x·y · 1/|x| · 1/|y|. Points that coincide have a product of 1 within six roundings: what is as near to it as that is 0.
template <class T>
struct Angles {
  using C = double;

  template <int n_lines, bool is_streaming>
  static HWY_INLINE void run(const Planes<double>& planes, const double* x, std::int64_t begin, T* out) {
    const PairTag<double> d;
    constexpr std::int64_t n_results = n_lines * in_line<T>;
    constexpr int n = std::min(vectors_at_once, static_cast<int>(n_results) / pair_lanes<double>);
    constexpr std::int64_t step = n * pair_lanes<double>;
    static_assert(n_results % step == 0);
    HWY_ALIGN T results[static_cast<std::size_t>(n_results)];
    for (std::int64_t at = 0; at < n_results; at += step) {
      PairVec<double> v[static_cast<std::size_t>(n)];
      const double* y = planes.first + begin + at;
      PairVec<double> of_x = hn::Set(d, x[0]);
#pragma GCC unroll 4
      for (int u = 0; u < n; ++u) v[u] = hn::Mul(of_x, hn::LoadU(d, y + u * pair_lanes<double>));
      for (std::int64_t f = 1; f < planes.n_features; ++f) {
        y += planes.pitch;
        of_x = hn::Set(d, x[f]);
#pragma GCC unroll 4
        for (int u = 0; u < n; ++u) v[u] = hn::Add(v[u], hn::Mul(of_x, hn::LoadU(d, y + u * pair_lanes<double>)));
      }
      y += planes.pitch;
      const PairVec<double> inverse = hn::Set(d, x[planes.n_features]), least = hn::Set(d, least_cosine), most = hn::Set(d, 2.0);
#pragma GCC unroll 4
      for (int u = 0; u < n; ++u) {
        const PairVec<double> cosine = hn::Mul(v[u], hn::Mul(inverse, hn::LoadU(d, y + u * pair_lanes<double>)));
        PairVec<double> away = hn::Sub(hn::Set(d, 1.0), cosine);
        away = hn::IfThenZeroElse(hn::Lt(away, least), away);  // NaN stays
        away = hn::IfThenElse(hn::Gt(away, most), most, away);
        put_narrowed(away, results + at + u * pair_lanes<double>);
      }
    }
#pragma GCC unroll 16
    for (int u = 0; u < n_lines * vectors_of_line<T>; ++u)
      put_pairs<is_streaming>(hn::Load(PairTag<T>(), results + u * pair_lanes<T>), out + u * pair_lanes<T>);
  }
};

// Fewer results than a line has; what is read behind them is in the planes or their margin.
template <class Group, class T>
HWY_INLINE void part_of_line(const Planes<typename Group::C>& planes, const typename Group::C* x, std::int64_t begin, std::int64_t n,
                             T* out) {
  HWY_ALIGN T results[static_cast<std::size_t>(in_line<T>)];
  Group::template run<1, false>(planes, x, begin, results);
  std::memcpy(static_cast<void*>(out), results, static_cast<std::size_t>(n) * sizeof(T));
}

template <class Group, bool is_streaming, class T>
HWY_INLINE void whole_lines(const Planes<typename Group::C>& planes, const typename Group::C* x, std::int64_t begin, std::int64_t n,
                            T* out) {
  constexpr int n_lines = lines_at_once<T, typename Group::C>;
  constexpr std::int64_t group = n_lines * in_line<T>;
  std::int64_t t = 0;
  for (; t + group <= n; t += group) Group::template run<n_lines, is_streaming>(planes, x, begin + t, out + t);
  if constexpr (n_lines > 1)
    for (; t + in_line<T> <= n; t += in_line<T>) Group::template run<1, is_streaming>(planes, x, begin + t, out + t);
  if (t < n) part_of_line<Group>(planes, x, begin + t, n - t, out + t);
}

template <class Group, class T>
void distance_line(const Planes<typename Group::C>& planes, const typename Group::C* x, std::int64_t begin, std::int64_t n, T* out,
                   bool is_streaming) {
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % pair_line);
  const auto element = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t head = past_line % element == 0 ? std::min(n, (pair_line - past_line) % pair_line / element) : 0;
  if (head > 0) part_of_line<Group>(planes, x, begin, head, out);
  if (is_streaming) whole_lines<Group, true>(planes, x, begin + head, n - head, out + head);
  else whole_lines<Group, false>(planes, x, begin + head, n - head, out + head);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
