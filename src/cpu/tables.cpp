// Elements that are units go to the kernels of their width, evenly spaced rows and fields to those for records; what is left, arrays at
// unrelated addresses and odd elements, goes by tables of addresses.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/tables.hpp"

#include <algorithm>

namespace crinkle::simd {
namespace {
constexpr std::int64_t n_together = 64;  // records whose addresses make a table

template <class P>
bool is_even(P const* p, std::int64_t n) {
  for (std::int64_t i = 2; i < n; ++i)
    if (p[i] - p[i - 1] != p[1] - p[0]) return false;
  return true;
}
}  // namespace

void transpose(const Kernels& k, const Table& t, std::int64_t in_offset, std::int64_t out_offset, std::int64_t e) {
  if (is_unit(e)) {
    k.table_transpose[unit_index(e)](t.rows, t.n_rows, t.columns, t.n_columns, in_offset, out_offset);
    return;
  }
  k.table_runs(t.rows, t.n_rows, t.columns, t.n_columns, in_offset, out_offset, e);
}

void interlace(const Kernels& k, const std::byte* const* rows, std::int64_t n_rows, std::int64_t n, std::byte* out, std::int64_t e) {
  if (is_unit(e) && is_even(rows, n_rows)) {
    k.transpose[unit_index(e)](rows[0], n_rows > 1 ? rows[1] - rows[0] : 0, n_rows, n, out, n_rows * e);
    return;
  }
  std::byte* columns[n_together];
  for (std::int64_t first = 0; first < n; first += n_together) {
    const std::int64_t some = std::min(n_together, n - first);
    for (std::int64_t i = 0; i < some; ++i) columns[i] = out + (first + i) * n_rows * e;
    transpose(k, {rows, n_rows, columns, some}, first * e, 0, e);
  }
}

void deinterlace(const Kernels& k, const std::byte* in, std::int64_t n_rows, std::int64_t n, std::byte* const* outs, std::int64_t e) {
  if (is_unit(e) && is_even(outs, n_rows)) {
    k.transpose[unit_index(e)](in, n_rows * e, n, n_rows, outs[0], n_rows > 1 ? outs[1] - outs[0] : 0);
    return;
  }
  const std::byte* rows[n_together];
  for (std::int64_t first = 0; first < n; first += n_together) {
    const std::int64_t some = std::min(n_together, n - first);
    for (std::int64_t i = 0; i < some; ++i) rows[i] = in + (first + i) * n_rows * e;
    transpose(k, {rows, some, outs, n_rows}, 0, first * e, e);
  }
}

}  // namespace crinkle::simd
