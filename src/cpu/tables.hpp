// Transposes between rows and columns that lie anywhere, given by tables of addresses, and records likewise.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cpu/kernels.hpp"

namespace crinkle::simd {

struct Table {
  const std::byte* const* rows;
  std::int64_t n_rows;
  std::byte* const* columns;
  std::int64_t n_columns;
};

/// columns[c] + out_offset + r·element = rows[r] + in_offset + c·element, ordinary stores
void transpose(const Kernels& k, const Table& t, std::int64_t in_offset, std::int64_t out_offset, std::int64_t element);
/// out[(i·n_rows + r)·element] = rows[r][i·element], i < n
void interlace(const Kernels& k, const std::byte* const* rows, std::int64_t n_rows, std::int64_t n, std::byte* out, std::int64_t element);
/// outs[r][i·element] = in[(i·n_rows + r)·element], i < n
void deinterlace(const Kernels& k, const std::byte* in, std::int64_t n_rows, std::int64_t n, std::byte* const* outs, std::int64_t element);
}  // namespace crinkle::simd
