// A part of a triangle (crinkle/detail/triangle_lines.hpp) gone through by lines, columns or rows, for host and device:
//     columns:  line j, along i from max(i_begin, j + gap) to i_end          rows:  line i, along j from j_begin to min(j_end, i − gap + 1)
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/detail/triangle_lines.hpp"

namespace crinkle::tile {

struct PartByLines {
  TrianglePart part;
  bool are_columns = false;

  CRINKLE_HD constexpr std::int64_t first_line() const { return are_columns ? part.j_begin : part.i_begin; }
  CRINKLE_HD constexpr std::int64_t last_line() const { return are_columns ? part.j_end : part.i_end; }
  CRINKLE_HD constexpr std::int64_t begin(std::int64_t line) const {
    if (!are_columns) return part.j_begin;
    return line + part.gap > part.i_begin ? line + part.gap : part.i_begin;
  }
  CRINKLE_HD constexpr std::int64_t end(std::int64_t line) const {
    if (are_columns) return part.i_end;
    return line - part.gap + 1 < part.j_end ? line - part.gap + 1 : part.j_end;
  }
};

}  // namespace crinkle::tile
