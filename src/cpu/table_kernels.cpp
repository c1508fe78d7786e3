// The kernels that transpose blocks given by tables, for every instruction set (targets-inl.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/table_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "cpu/odd-inl.hpp"
#include "cpu/table_kernels.hpp"
#include "cpu/tables-inl.hpp"
#include "cpu/tables_stream-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

inline const TableKernels* table_table() {
  static const TableKernels kernels = {
      .table_transpose = {table_transpose<1>, table_transpose<2>, table_transpose<4>, table_transpose<8>, table_transpose<16>},
      .table_stream = {table_stream<1>, table_stream<2>, table_stream<4>, table_stream<8>, table_stream<16>},
#if HWY_TARGET <= HWY_AVX3
      .table_shift = {nullptr, nullptr, table_shift<4>, table_shift<8>, table_shift<16>},
#else
      .table_shift = {},
#endif
      .table_runs = table_runs,
      .table_runs_stream = table_runs_stream,
      .table_runs_shift = table_runs_shift,
#if HWY_TARGET <= HWY_AVX3
      .table_odd_shift = table_odd_shift,
#else
      .table_odd_shift = nullptr,
#endif
  };
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(table_table);
const TableKernels& TableKernels::best() { return best_table(HWY_DISPATCH_TABLE(table_table)); }
std::vector<const TableKernels*> TableKernels::all() { return all_tables(HWY_DISPATCH_TABLE(table_table)); }

}  // namespace crinkle::simd
#endif
