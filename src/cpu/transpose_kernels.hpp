// Kernels that transpose blocks whose rows, and whose columns, lie a stride apart. They keep to what row_kernels.hpp says.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/row_kernels.hpp"

namespace crinkle::simd {

struct TransposeKernels {
  using Transpose = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n_rows, std::int64_t n_columns, std::byte* out,
                             std::int64_t out_stride);
  using TransposeStream = void (*)(const std::byte* in, std::int64_t in_stride, std::int64_t n_rows, std::int64_t n_columns, std::byte* out,
                                   std::int64_t out_stride, std::int64_t ahead);

  /// out[c·out_stride + r·unit] = in[r·in_stride + c·unit] for all r < n_rows, c < n_columns, by ordinary stores. Rows that follow each
  /// other without a gap, in (in_stride = n_columns·unit) or out (out_stride = n_rows·unit), may be as short as one likes: records to
  /// planes and back.
  Transpose transpose[n_units];

  /// The same by whole lines. Requires n_rows·unit, out and out_stride to be multiples of 64. Prefetches each row `ahead` bytes before it
  /// is read; 0 for none.
  TransposeStream transpose_stream[n_units];

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const TransposeKernels& best();
  static std::vector<const TransposeKernels*> all();
};

}  // namespace crinkle::simd
