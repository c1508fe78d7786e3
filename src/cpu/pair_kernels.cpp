// Which table of pairs' kernels a machine gets: as kernels.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include "cpu/pair_kernels.hpp"
#include "cpu/pair_kernels-inl.hpp"

namespace crinkle::simd {
namespace {

HWY_EXPORT(pair_table);

const PairKernels* best_of(std::int64_t targets) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)targets;
  return HWY_STATIC_DISPATCH(pair_table)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return HWY_DISPATCH_TABLE(pair_table)[chosen.GetIndex()]();
#endif
}

}  // namespace

const PairKernels& pair_kernels() {
  static const PairKernels* const best = best_of(hwy::SupportedTargets());
  return *best;
}

std::vector<const PairKernels*> all_pair_kernels() {
  std::vector<const PairKernels*> all;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) all.push_back(best_of(target));
  return all;
}

}  // namespace crinkle::simd
