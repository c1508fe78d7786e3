// Compiles the kernels once for every instruction set: Highway includes this file again and again, each time with another HWY_TARGET and
// HWY_NAMESPACE, and the table of each is picked at run time.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels-inl.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/apart-inl.hpp"
#include "cpu/few_vbmi.hpp"
#include "cpu/join-inl.hpp"
#include "cpu/kernels.hpp"
#include "cpu/pack-inl.hpp"
#include "cpu/records-inl.hpp"
#include "cpu/rows-inl.hpp"
#include "cpu/staged-inl.hpp"
#include "cpu/tables-inl.hpp"
#include "cpu/tables_stream-inl.hpp"
#include "cpu/together-inl.hpp"
#include "cpu/transpose-inl.hpp"
#include "cpu/transpose_stream-inl.hpp"
#include "cpu/vectors-inl.hpp"
#include "cpu/weave-inl.hpp"
#include "cpu/weave_vbmi.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

inline void fence() { hwy::FlushStream(); }

inline const Kernels* table() {
  const bool is_wide = HWY_TARGET <= HWY_AVX3 && has_vbmi();
  static const Kernels kernels = {
      .target = hwy::TargetName(HWY_TARGET),
      .transpose = {transpose<1>, transpose<2>, transpose<4>, transpose<8>, transpose<16>},
      .transpose_stream = {transpose_stream<1>, transpose_stream<2>, transpose_stream<4>, transpose_stream<8>, transpose_stream<16>},
      .table_transpose = {table_transpose<1>, table_transpose<2>, table_transpose<4>, table_transpose<8>, table_transpose<16>},
      .table_stream = {table_stream<1>, table_stream<2>, table_stream<4>, table_stream<8>, table_stream<16>},
#if HWY_TARGET <= HWY_AVX3
      .table_shift = {nullptr, nullptr, table_shift<4>, table_shift<8>, table_shift<16>},
#else
      .table_shift = {},
#endif
#if HWY_TARGET <= HWY_AVX2
      .table_staged = {table_staged<1>, table_staged<2>, table_staged<4>, table_staged<8>, table_staged<16>},
      .apart_stream = {apart<1, Stores::streaming>, apart<2, Stores::streaming>, apart<4, Stores::streaming>, apart<8, Stores::streaming>,
                       nullptr},
      .apart = {apart<1, Stores::ordinary>, apart<2, Stores::ordinary>, apart<4, Stores::ordinary>, apart<8, Stores::ordinary>, nullptr},
#else
      .table_staged = {},
      .apart_stream = {},
      .apart = {},
#endif
      .table_runs = table_runs,
      .table_runs_stream = table_runs_stream,
      .table_runs_shift = table_runs_shift,
#if HWY_TARGET <= HWY_AVX3
      .table_odd_shift = table_odd_shift,
#else
      .table_odd_shift = nullptr,
#endif
      .pack = pack,
      .copy_rows = copy_rows,
      .stream_rows = stream_rows,
      .drain = drain_lines,
      .reverse = {reverse<1>, reverse<2>, reverse<4>, reverse<8>, reverse<16>},
      .stream_reversed = {stream_reversed<1>, stream_reversed<2>, stream_reversed<4>, stream_reversed<8>, stream_reversed<16>},
      .gather = {gather<1>, gather<2>, gather<4>, gather<8>, gather<16>},
      .copy = copy,
      .swap_bytes = swap_bytes,
      .stream = stream_copy,
      .stream_from = stream_from,
      .fill = fill,
      .join = {join<1, Stores::ordinary>, join<2, Stores::ordinary>, join<4, Stores::ordinary>, join<8, Stores::ordinary>,
               join<16, Stores::ordinary>},
      .join_stream = {join<1, Stores::streaming>, join<2, Stores::streaming>, join<4, Stores::streaming>, join<8, Stores::streaming>,
                      join<16, Stores::streaming>},
      .few_fields = HWY_TARGET <= HWY_AVX3 ? few_fields_vbmi() : nullptr,
      .together = {together<1>, together<2>, together<4>, together<8>, nullptr},
      .weave = is_wide ? weave_vbmi : weave<Stores::ordinary>,
      .weave_stream = is_wide ? weave_stream_vbmi : weave<Stores::streaming>,
      .weave_part = is_wide ? weave_part_vbmi : weave_part,
      .weave_lines = is_wide ? weave_lines_vbmi : nullptr,
      .weave_width = is_wide ? 64 : 16,
      .fence = fence,
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
