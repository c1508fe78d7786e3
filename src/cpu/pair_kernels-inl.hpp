// Compiles the pairs' kernels once for every instruction set, as kernels-inl.hpp does its own.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pair_kernels-inl.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/collisions-inl.hpp"
#include "cpu/distances-inl.hpp"
#include "cpu/pair_kernels.hpp"
#include "cpu/triplets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
constexpr PairKernelsOf<T> pair_kernels_of() {
  return {
      .euclidean = distance_line<Differences<EuclideanDistance, T>, T>,
      .sqeuclidean = distance_line<Differences<SquaredDistance, T>, T>,
      .manhattan = distance_line<Differences<ManhattanDistance, T>, T>,
      .chebyshev = distance_line<Differences<ChebyshevDistance, T>, T>,
      .cosine = distance_line<Angles<T>, T>,
      .count_collisions = count_collisions<T>,
      .find_collisions = find_collisions<T>,
      .add_triplets = add_triplets<T>,
      .pair_row = pair_row<T>,
  };
}

inline void pair_fence() { hwy::FlushStream(); }

inline const PairKernels* pair_table() {
  static const PairKernels kernels = {hwy::TargetName(HWY_TARGET), pair_kernels_of<float>(), pair_kernels_of<double>(), pair_fence};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
