// Kernels that transpose by way of a stage in the caches. They keep to what row_kernels.hpp says.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/row_kernels.hpp"

namespace crinkle::simd {

/// A block of a transposition that goes through a stage: columns[c] + out_at + r·unit = rows[r] + in_at + c·unit.
struct StagedBlock {
  const std::byte* const* rows = nullptr;
  std::int64_t n_rows = 0;
  std::byte* const* columns = nullptr;
  std::int64_t n_columns = 0;
  std::int64_t in_at = 0, out_at = 0;
  std::byte* stage = nullptr;            // stage_bytes(…), a multiple of 64
  std::byte* carry = nullptr;            // as in TableKernels::table_shift
  bool on_lines = false;                 // all columns begin on one
  bool is_first = true, is_last = true;  // of its columns' blocks
};
constexpr std::int64_t stage_bytes(std::int64_t n_rows, std::int64_t n_columns, std::int64_t unit) {
  const std::int64_t word = unit < 4 ? 4 : unit;  // narrower units are staged as words
  return (n_rows * unit / word + 1) * (((n_columns * unit + 63) / 64 * (word / unit) + 1) * 64);
}

struct StagedKernels {
  using TableStaged = void (*)(const StagedBlock* in, const StagedBlock* out, const StagedBlock* next);

  /// As TableKernels::table_transpose by way of a stage that stays in cache, rows read in long turns: reads `in`, writes `out`, which was
  /// read by an earlier call, and prefetches the beginning of `next`; each may be null, and `in` and `out` have stages of their own. Null
  /// where an instruction set has no way.
  TableStaged table_staged[n_units];

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const StagedKernels& best();
  static std::vector<const StagedKernels*> all();
};

}  // namespace crinkle::simd
