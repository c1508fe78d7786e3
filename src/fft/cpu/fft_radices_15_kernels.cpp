// Radix 15, for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/cpu/fft_radices_15_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "fft/cpu/fft_stages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

void put_radices_15(FftKernelsOf<float>& kernels) { put_radices<15>(kernels); }
void put_radices_15(FftKernelsOf<double>& kernels) { put_radices<15>(kernels); }

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
