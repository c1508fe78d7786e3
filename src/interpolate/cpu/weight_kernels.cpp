// The tables of weight_kernels.hpp, and the loops of float64; those of float32 are in weight_float_kernels.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpolate/cpu/weight_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "interpolate/cpu/weight_kernels.hpp"
#include "interpolate/cpu/weight_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

void put_weights(WeightKernelsOf<float>& kernels);

inline const WeightKernels* weight_table() {
  static const WeightKernels kernels = [] {
    WeightKernels k{};
    k.target = hwy::TargetName(HWY_TARGET);
    put_weights(k.float32);
    put_dimensions<double, 2>(k.float64);
    put_dimensions<double, 3>(k.float64);
    return k;
  }();
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(weight_table);
const WeightKernels& WeightKernels::best() { return best_table(HWY_DISPATCH_TABLE(weight_table)); }
std::vector<const WeightKernels*> WeightKernels::all() { return all_tables(HWY_DISPATCH_TABLE(weight_table)); }

}  // namespace crinkle::simd
#endif
