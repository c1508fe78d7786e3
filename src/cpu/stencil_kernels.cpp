// Which table of stencil kernels a machine gets: as kernels.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include "cpu/stencil_kernels.hpp"
#include "cpu/stencil_kernels-inl.hpp"

namespace crinkle::simd {
namespace {

HWY_EXPORT(stencil_table);

const StencilKernels* best_of(std::int64_t targets) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)targets;
  return HWY_STATIC_DISPATCH(stencil_table)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return HWY_DISPATCH_TABLE(stencil_table)[chosen.GetIndex()]();
#endif
}

}  // namespace

const StencilKernels& stencil_kernels() {
  static const StencilKernels* const best = best_of(hwy::SupportedTargets());
  return *best;
}

std::vector<const StencilKernels*> all_stencil_kernels() {
  std::vector<const StencilKernels*> all;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) all.push_back(best_of(target));
  return all;
}

}  // namespace crinkle::simd
