// Which table of Fourier transforms' kernels a machine gets: as kernels.cpp. The later extensions of AVX-512 would change nothing here.
// SPDX-License-Identifier: BSD-3-Clause
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include "cpu/fft_kernels.hpp"
#include "cpu/fft_kernels-inl.hpp"

namespace crinkle::simd {
namespace {

HWY_EXPORT(fft_table);

const FftKernels* best_of(std::int64_t targets) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  (void)targets;
  return HWY_STATIC_DISPATCH(fft_table)();
#else
  hwy::ChosenTarget chosen;
  chosen.Update(targets);
  return HWY_DISPATCH_TABLE(fft_table)[chosen.GetIndex()]();
#endif
}

}  // namespace

const FftKernels& fft_kernels() {
  static const FftKernels* const best = best_of(hwy::SupportedTargets());
  return *best;
}

std::vector<const FftKernels*> all_fft_kernels() {
  std::vector<const FftKernels*> all;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) all.push_back(best_of(target));
  return all;
}

}  // namespace crinkle::simd
