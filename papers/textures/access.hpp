// access(k) of paper 0, section 7.3: one call reads cell k of an array, whatever memory it lies in: global memory, or a texture of one,
// two or three dimensions, for which k is split into its indices. The paper has #defines; here the memory is a type. A texture of D
// dimensions holds an array of any rank: its last coordinate counts all axes from D − 1 on through, and is 0 where there is none.
// Source: Hawick and Playne, "Hypercubic storage layout and transforms in arbitrary dimensions using GPUs and CUDA", section 7.3.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/kindex.hpp"

namespace crinkle::bench {

/// # ifdef GLOBAL: data[k]
struct InGlobal {
  const float* data;
  template <class Index>
  CRINKLE_HD float operator()(const Index&, typename Index::Integer k) const {
    return data[k];
  }
};

/// # ifdef TEXTURE1D, TEXTURE2D, TEXTURE3D: fetch(x), fetch(x, y) or fetch(x, y, z), whole numbers.
template <int dimensions, class Fetch>
struct InTexture {
  static_assert(dimensions >= 1 && dimensions <= 3);
  Fetch fetch;

  /// Coordinate d of cell `at`.
  template <class Index>
  CRINKLE_HD static int coordinate(const Index& index, const typename Index::Indices& at, int d) {
    if (d >= Index::rank) return 0;
    if (d + 1 < dimensions) return static_cast<int>(at[d]);
    auto all = at[Index::rank - 1];
    for (int axis = Index::rank - 1; axis-- > d;) all = all * index.extent(axis) + at[axis];
    return static_cast<int>(all);
  }
  template <class Index>
  CRINKLE_HD float operator()(const Index& index, typename Index::Integer k) const {
    if constexpr (dimensions == 1) return fetch(static_cast<int>(k));
    const typename Index::Indices at = index.decompose(k);
    if constexpr (dimensions == 2) return fetch(coordinate(index, at, 0), coordinate(index, at, 1));
    if constexpr (dimensions == 3) return fetch(coordinate(index, at, 0), coordinate(index, at, 1), coordinate(index, at, 2));
  }
};

/// Extents of a texture that holds an array.
template <int dimensions, int rank>
constexpr Array<std::uint64_t, 3> texture_extents(const Array<std::uint64_t, rank>& of) {
  Array<std::uint64_t, 3> result{1, 1, 1};
  for (int axis = 0; axis < rank; ++axis) result[axis < dimensions ? axis : dimensions - 1] *= of[axis];
  return result;
}

/// Weights of a cell and its 2 · rank nearest, in the order of nearest_distances().
template <int rank>
struct BlurWeights {
  Array<float, 2 * rank + 1> of;
};
/// Uneven ones, whose sum is about 1: a neighbour that is taken for another is seen.
template <int rank>
constexpr BlurWeights<rank> blur_weights() {
  BlurWeights<rank> weights{};
  constexpr int n = 2 * rank + 1;
  for (int s = 0; s < n; ++s) weights.of[s] = static_cast<float>(2 * (s + 1)) / static_cast<float>(n * (n + 1));
  return weights;
}

/// The next cell along an axis, periodic.
template <class Index, class Access>
CRINKLE_HD float neighbour_of(const Index& index, typename Index::Integer k, int axis, const Access& access) {
  return access(index, index.periodic_neighbour(k, axis, 1));
}

/// weights[0] · cell + Σ weights[1 + 2·axis + side] · neighbour, in this order, periodic; weights: anything with operator[].
template <class Index, class Access, class Weights>
CRINKLE_HD float blur_of(const Index& index, typename Index::Integer k, const Access& access, const Weights& weights) {
  float sum = weights[0] * access(index, k);
  CRINKLE_UNROLL
  for (int axis = 0; axis < Index::rank; ++axis) {
    sum = sum + weights[1 + 2 * axis] * access(index, index.periodic_neighbour(k, axis, -1));
    sum = sum + weights[2 + 2 * axis] * access(index, index.periodic_neighbour(k, axis, 1));
  }
  return sum;
}

}  // namespace crinkle::bench
