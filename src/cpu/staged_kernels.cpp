// The kernels that transpose by way of a stage, for every instruction set (targets-inl.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/staged_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "cpu/staged-inl.hpp"
#include "cpu/staged_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

inline const StagedKernels* staged_table() {
#if HWY_TARGET <= HWY_AVX2
  static const StagedKernels kernels = {
      .table_staged = {table_staged<1>, table_staged<2>, table_staged<4>, table_staged<8>, table_staged<16>}};
#else
  static const StagedKernels kernels = {.table_staged = {}};
#endif
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(staged_table);
const StagedKernels& StagedKernels::best() { return best_table(HWY_DISPATCH_TABLE(staged_table)); }
std::vector<const StagedKernels*> StagedKernels::all() { return all_tables(HWY_DISPATCH_TABLE(staged_table)); }

}  // namespace crinkle::simd
#endif
