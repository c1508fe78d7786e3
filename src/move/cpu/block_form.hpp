// How a transposition's blocks are cut: strips of rows, tiles of columns, and which way they go.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cpu/parts.hpp"

namespace crinkle {

/// How blocks of a schedule are gone through.
struct BlockForm {
  static constexpr std::int64_t most_rows = 256;  // of a strip

  std::int64_t element = 1;
  bool is_joined = false;            // short columns without a gap between them
  bool is_piped = false;             // rows go through a stage
  bool is_staged = false;            // columns wait in a stage, so that few rows are read at a time
  bool is_of_runs = false;           // elements of a line or more, copied in the order of the source
  bool is_odd_kept = false;          // elements that are no unit, of which a line of every column is kept from strip to strip
  std::int64_t n_block_columns = 1;  // of a row in the stage
  std::int64_t strip = 1;            // rows, a whole number of lines
  std::int64_t n_down = 1, n_along = 1, n_tiles = 1, n_cuts = 1;
  std::int64_t n_to_line = 0;  // columns until rows of the source begin lines: the first tile, where there are any
  bool has_seams = false;      // columns follow each other by whole lines: where all begin inside one, the last of one column and the
                               // first elements of the next are a line together
  AxisList outer;              // fastest first

  /// Where a tile begins; it ends where the next one does.
  std::int64_t tile_begin(std::int64_t tile) const;
  std::int64_t most_tile_columns() const;
  std::int64_t pitch() const { return is_odd_kept ? 64 : (strip * element / 64 + 2) * 64; }  // of a column's stage, bytes
};

/// Requires a schedule of blocks; `n_parts` is how many threads want a task.
BlockForm block_form_of(const Run& run, std::int64_t n_parts);

}  // namespace crinkle
