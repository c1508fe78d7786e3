// The loops of weight_kernels.hpp for float32, compiled once for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpolate/cpu/weight_float_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "interpolate/cpu/weight_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

void put_weights(WeightKernelsOf<float>& kernels) {
  put_dimensions<float, 2>(kernels);
  put_dimensions<float, 3>(kernels);
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
