// Kernels that transpose blocks whose rows and columns lie anywhere: tables say where each begins. They keep to what row_kernels.hpp says.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/row_kernels.hpp"

namespace crinkle::simd {

constexpr std::int64_t most_odd_rows = 64;  // of table_odd_shift: a strip of whole lines has no more

struct TableKernels {
  using TableTranspose = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                                  std::int64_t in_at, std::int64_t out_at);
  using TableStream = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                               std::int64_t out_at, std::int64_t ahead);
  using TableShift = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                              std::int64_t out_at, std::byte* carry, bool is_first, bool is_last, std::int64_t ahead);
  using TableRuns = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                             std::int64_t in_at, std::int64_t out_at, std::int64_t element);
  using TableRunsStream = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                                   std::int64_t out_at, std::int64_t element, std::int64_t ahead);
  using TableRunsShift = void (*)(const std::byte* const* rows, std::int64_t n_rows, std::byte* const* columns, std::int64_t n_columns,
                                  std::int64_t out_at, std::int64_t element, std::byte* carry, bool is_first, bool is_last,
                                  std::int64_t ahead);

  /// columns[c] + out_at + r·unit = rows[r] + in_at + c·unit for all r < n_rows, c < n_columns, by ordinary stores.
  TableTranspose table_transpose[n_units];

  /// The same by whole lines, in_at = 0. Requires n_rows·unit and all columns[c] + out_at to be multiples of 64.
  TableStream table_stream[n_units];

  /// The same by whole lines where columns begin anywhere in a line at a multiple of the unit; null where an instruction set has no way.
  /// `carry`, 64 bytes per column and a multiple of 64, keeps what is not yet a line between calls on one set of columns, whose n_rows·unit
  /// are multiples of 64 but in the last of them.
  TableShift table_shift[n_units];

  /// The same as table_transpose for elements of any size that is no unit.
  TableRuns table_runs;

  /// The same by whole lines, in_at = 0; rows are fetched `ahead` bytes before they are read, 0 for none. Requires element and all
  /// columns[c] + out_at to be multiples of 64.
  TableRunsStream table_runs_stream;

  /// The same for any columns, and elements of at least 64 bytes. What does not fill a line yet waits in the column's line of `carry`, 64 ·
  /// (n_columns + 1) bytes, for the next call's rows; is_first: nothing waits yet; is_last: nothing stays.
  TableRunsShift table_runs_shift;

  /// The same as table_shift for elements of less than a line that are no unit; columns begin anywhere. Requires n_rows ≤ most_odd_rows.
  /// Null where an instruction set has no way.
  TableRunsShift table_odd_shift;

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const TableKernels& best();
  static std::vector<const TableKernels*> all();
};

}  // namespace crinkle::simd
