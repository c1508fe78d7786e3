// The kernels that transpose blocks a stride apart, for every instruction set (targets-inl.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/transpose_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "cpu/transpose-inl.hpp"
#include "cpu/transpose_kernels.hpp"
#include "cpu/transpose_stream-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

inline const TransposeKernels* transpose_table() {
  static const TransposeKernels kernels = {
      .transpose = {transpose<1>, transpose<2>, transpose<4>, transpose<8>, transpose<16>},
      .transpose_stream = {transpose_stream<1>, transpose_stream<2>, transpose_stream<4>, transpose_stream<8>, transpose_stream<16>},
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(transpose_table);
const TransposeKernels& TransposeKernels::best() { return best_table(HWY_DISPATCH_TABLE(transpose_table)); }
std::vector<const TransposeKernels*> TransposeKernels::all() { return all_tables(HWY_DISPATCH_TABLE(transpose_table)); }

}  // namespace crinkle::simd
#endif
