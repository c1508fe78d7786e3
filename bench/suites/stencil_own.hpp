// Stars and boxes as stencils of one's own (stencil.hpp), whose function sums the points of a list one by one: beside the library's lists
// in the suite `stencil`. Where a row's list is none of these there is no such way.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "crinkle/stencil.hpp"
#include "crinkle/sweeper.hpp"

struct CUstream_st;

namespace crinkle::bench {

template <int rank, int radius>
struct SameRadius;
template <int radius>
struct SameRadius<2, radius> {
  using Type = crinkle::Radius<radius, radius>;
};
template <int radius>
struct SameRadius<3, radius> {
  using Type = crinkle::Radius<radius, radius, radius>;
};

/// Point k of a star: the cell, then along every axis −1, 1, −2, 2, …; of a box: all, in C order.
template <int rank_, int radius, bool is_box>
struct Points {
  static constexpr int rank = rank_, wide = 2 * radius + 1,
                       n = !is_box     ? 2 * radius * rank + 1
                           : rank == 2 ? wide * wide
                                       : wide * wide * wide;
  CRINKLE_HD static constexpr int offset(int k, int axis) {
    if (is_box) {
      for (int a = rank - 1; a > axis; --a) k /= wide;
      return k % wide - radius;
    }
    if (k == 0 || (k - 1) / (2 * radius) != axis) return 0;
    const int step = (k - 1) % (2 * radius);
    return step % 2 == 0 ? -(step / 2 + 1) : step / 2 + 1;
  }
};

/// Σ weights[k] · point k, one product and one sum after the other.
template <class P, int radius>
struct OwnSum {
  using Radius = typename SameRadius<P::rank, radius>::Type;
  float weights[P::n];

  template <int k>
  CRINKLE_HD static constexpr auto point() {
    if constexpr (P::rank == 2) return Offset<P::offset(k, 0), P::offset(k, 1)>{};
    else return Offset<P::offset(k, 0), P::offset(k, 1), P::offset(k, 2)>{};
  }
  template <class At, int first, int... k>
  CRINKLE_HD float sum(const At& at, std::integer_sequence<int, first, k...>) const {
    float total = weights[first] * at(point<first>());
    ((total = total + weights[k] * at(point<k>())), ...);
    return total;
  }
  template <class At>
  CRINKLE_HD float operator()(const At& at) const {
    return sum(at, std::make_integer_sequence<int, P::n>());
  }
};

/// run(stencil, out) for the sweep of float32 between these arrays, if its list is one of the points above; says whether it was.
template <int rank, int radius, bool is_box, class Run>
bool with_own(const Sweep& sweep, const std::byte* from, std::byte* to, const Run& run) {
  using P = Points<rank, radius, is_box>;
  const PointList& list = sweep.stencil.passes[0];
  if (sweep.stencil.passes.size() != 1 || sweep.stencil.rank != rank || sweep.steps != 1 || sweep.boundary.size() != 1 ||
      !(sweep.source_type.number == Number::float32) || list.n_points() != P::n)
    return false;
  OwnSum<P, radius> own{};
  Array<std::int64_t, rank> extents{}, strides{};
  for (int k = 0; k < P::n; ++k) {
    for (int a = 0; a < rank; ++a)
      if (list.offsets[static_cast<std::size_t>(k * rank + a)] != P::offset(k, a)) return false;
    own.weights[k] = static_cast<float>(list.coefficients[static_cast<std::size_t>(k)]);
  }
  for (int a = 0; a < rank; ++a) {
    extents[a] = sweep.source.extents[static_cast<std::size_t>(a)];
    strides[a] = sweep.source.strides[static_cast<std::size_t>(a)] / static_cast<std::int64_t>(sizeof(float));
  }
  const StencilField<const float, rank> in{reinterpret_cast<const float*>(from), extents, strides};
  run(stencil(own, filled<rank>(sweep.boundary[0]), in), StencilField<float, rank>{reinterpret_cast<float*>(to), extents, strides});
  return true;
}
template <class Run>
bool with_any_own(const Sweep& sweep, const std::byte* from, std::byte* to, const Run& run) {
  return with_own<2, 1, false>(sweep, from, to, run) || with_own<2, 4, false>(sweep, from, to, run) ||
         with_own<2, 1, true>(sweep, from, to, run) || with_own<2, 2, true>(sweep, from, to, run) ||
         with_own<3, 1, false>(sweep, from, to, run) || with_own<3, 2, false>(sweep, from, to, run) ||
         with_own<3, 4, false>(sweep, from, to, run) || with_own<3, 1, true>(sweep, from, to, run);
}

/// On a GPU, given to the stream; false where the list is none of them.
bool own_on_gpu(const Sweep& sweep, const std::byte* from, std::byte* to, CUstream_st* stream);

}  // namespace crinkle::bench
