// The kernels of pairs and triplets, for every instruction set (cpu/targets-inl.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/cpu/pair_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "pairs/cpu/collisions-inl.hpp"
#include "pairs/cpu/distances-inl.hpp"
#include "pairs/cpu/pair_kernels.hpp"
#include "pairs/cpu/triplets-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
constexpr PairKernelsOf<T> pair_kernels_of() {
  return {
      .euclidean = distance_line<Differences<EuclideanDistance, T>, T>,
      .scaled_euclidean = distance_line<ScaledEuclidean<T>, T>,
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

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(pair_table);
const PairKernels& PairKernels::best() { return best_table(HWY_DISPATCH_TABLE(pair_table)); }
std::vector<const PairKernels*> PairKernels::all() { return all_tables(HWY_DISPATCH_TABLE(pair_table)); }

}  // namespace crinkle::simd
#endif
