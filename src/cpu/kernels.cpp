// Which table of kernels a machine gets. Plain C++ is always among them, so that it is tested wherever the others are. Left out: SSSE3,
// which SSE4 replaces; AVX3_DL, of whose instructions no kernel has a use; and targets whose vectors have no fixed length.
// SPDX-License-Identifier: BSD-3-Clause
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include "cpu/kernels.hpp"
#include "cpu/kernels-inl.hpp"

namespace crinkle::simd {
namespace {

HWY_EXPORT(table);

// Highway's own choice, made here for a set of targets instead of for the whole process.
const Kernels* best_of(std::int64_t targets) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)targets;
  return HWY_STATIC_DISPATCH(table)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return HWY_DISPATCH_TABLE(table)[chosen.GetIndex()]();
#endif
}

}  // namespace

const Kernels& kernels() {
  static const Kernels* const best = best_of(hwy::SupportedTargets());
  return *best;
}

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> all;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) all.push_back(best_of(target));
  return all;
}

}  // namespace crinkle::simd
