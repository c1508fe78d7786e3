// Elements that are units go to the kernels of their width, evenly spaced rows and fields to those for records; what is left, arrays at
// unrelated addresses and odd elements, is copied element by element.
// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/tables.hpp"

#include <cstring>

namespace crinkle::simd {
namespace {
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
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t r = 0; r < n_rows; ++r) std::memcpy(out + (i * n_rows + r) * e, rows[r] + i * e, static_cast<std::size_t>(e));
}

void deinterlace(const Kernels& k, const std::byte* in, std::int64_t n_rows, std::int64_t n, std::byte* const* outs, std::int64_t e) {
  if (is_unit(e) && is_even(outs, n_rows)) {
    k.transpose[unit_index(e)](in, n_rows * e, n, n_rows, outs[0], n_rows > 1 ? outs[1] - outs[0] : 0);
    return;
  }
  for (std::int64_t r = 0; r < n_rows; ++r)
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(outs[r] + i * e, in + (i * n_rows + r) * e, static_cast<std::size_t>(e));
}

}  // namespace crinkle::simd
