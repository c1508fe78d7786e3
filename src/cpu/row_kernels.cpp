// The kernels of rows, for every instruction set (targets-inl.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/row_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "cpu/pack-inl.hpp"
#include "cpu/row_kernels.hpp"
#include "cpu/rows-inl.hpp"
#include "cpu/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

inline void fence() { hwy::FlushStream(); }

inline const RowKernels* row_table() {
  static const RowKernels kernels = {
      .target = hwy::TargetName(HWY_TARGET),
      .copy = copy,
      .stream_from = stream_from,
      .stream = stream_copy,
      .copy_rows = copy_rows,
      .stream_rows = stream_rows,
      .drain = drain_lines,
      .fill = fill,
      .reverse = {reverse<1>, reverse<2>, reverse<4>, reverse<8>, reverse<16>},
      .stream_reversed = {stream_reversed<1>, stream_reversed<2>, stream_reversed<4>, stream_reversed<8>, stream_reversed<16>},
      .swap_bytes = swap_bytes,
      .gather = {gather<1>, gather<2>, gather<4>, gather<8>, gather<16>},
      .pack = pack,
      .fence = fence,
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(row_table);
const RowKernels& RowKernels::best() { return best_table(HWY_DISPATCH_TABLE(row_table)); }
std::vector<const RowKernels*> RowKernels::all() { return all_tables(HWY_DISPATCH_TABLE(row_table)); }

}  // namespace crinkle::simd
#endif
