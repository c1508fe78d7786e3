// The kernels of records and of short patterns, for every instruction set (targets-inl.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/record_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "cpu/apart-inl.hpp"
#include "cpu/few_vbmi.hpp"
#include "cpu/join-inl.hpp"
#include "cpu/record_kernels.hpp"
#include "cpu/together-inl.hpp"
#include "cpu/weave-inl.hpp"
#include "cpu/weave_vbmi.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

inline const RecordKernels* record_table() {
  const bool is_wide = HWY_TARGET <= HWY_AVX3 && has_vbmi();
  static const RecordKernels kernels = {
#if HWY_TARGET <= HWY_AVX2
      .apart_stream = {apart<1, Stores::streaming>, apart<2, Stores::streaming>, apart<4, Stores::streaming>, apart<8, Stores::streaming>,
                       nullptr},
      .apart = {apart<1, Stores::ordinary>, apart<2, Stores::ordinary>, apart<4, Stores::ordinary>, apart<8, Stores::ordinary>, nullptr},
#else
      .apart_stream = {},
      .apart = {},
#endif
      .join = {join<1, Stores::ordinary>, join<2, Stores::ordinary>, join<4, Stores::ordinary>, join<8, Stores::ordinary>,
               join<16, Stores::ordinary>},
      .join_stream = {join<1, Stores::streaming>, join<2, Stores::streaming>, join<4, Stores::streaming>, join<8, Stores::streaming>,
                      join<16, Stores::streaming>},
      .together = {together<1>, together<2>, together<4>, together<8>, nullptr},
      .few_fields = HWY_TARGET <= HWY_AVX3 ? few_fields_vbmi() : nullptr,
      .weave = is_wide ? weave_vbmi : weave<Stores::ordinary>,
      .weave_stream = is_wide ? weave_stream_vbmi : weave<Stores::streaming>,
      .weave_part = is_wide ? weave_part_vbmi : weave_part,
      .weave_lines = is_wide ? weave_lines_vbmi : nullptr,
      .weave_width = is_wide ? 64 : 16,
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(record_table);
const RecordKernels& RecordKernels::best() { return best_table(HWY_DISPATCH_TABLE(record_table)); }
std::vector<const RecordKernels*> RecordKernels::all() { return all_tables(HWY_DISPATCH_TABLE(record_table)); }

}  // namespace crinkle::simd
#endif
