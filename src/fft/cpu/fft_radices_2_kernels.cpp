// Radices 2 to 5, for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/cpu/fft_radices_2_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "fft/cpu/fft_stages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

void put_radices_2(FftKernelsOf<float>& kernels) { put_radices<2, 3, 4, 5>(kernels); }
void put_radices_2(FftKernelsOf<double>& kernels) { put_radices<2, 3, 4, 5>(kernels); }

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
