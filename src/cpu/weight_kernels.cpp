// Which table of weights' kernels a machine gets: as kernels.cpp. Instruction sets that gain nothing here are left out: SSE4,
// and AVX-512 beyond its first form.
// SPDX-License-Identifier: BSD-3-Clause
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include "cpu/weight_kernels.hpp"
#include "cpu/weight_kernels-inl.hpp"

namespace crinkle::simd {
namespace {

HWY_EXPORT(weight_table);

const WeightKernels* best_of(std::int64_t targets) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)targets;
  return HWY_STATIC_DISPATCH(weight_table)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return HWY_DISPATCH_TABLE(weight_table)[chosen.GetIndex()]();
#endif
}

}  // namespace

const WeightKernels& weight_kernels() {
  static const WeightKernels* const best = best_of(hwy::SupportedTargets());
  return *best;
}

std::vector<const WeightKernels*> all_weight_kernels() {
  std::vector<const WeightKernels*> all;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) all.push_back(best_of(target));
  return all;
}

}  // namespace crinkle::simd
