// Rows whose units are picked by an index array, one array for all rows:
//     dst[r][u] = src[r][index[u]],   r in [0, R), u in [0, n),
// the destination's rows without gaps. A block stages what the array reaches of a few source rows in shared memory, as the aligned vectors
// of 16 bytes that cover it, and then makes the destination rows vector by vector; an index is read once for all of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tile/outer_axes.hpp"

namespace crinkle::tile {

struct TakenTile {
  static constexpr std::int32_t threads = 512, most_each = 8, load_bytes = 16;
  static constexpr std::int32_t most_units = 1 << 16;  // of a staged row: indices have 16 bits

  std::int32_t unit = 1;
  std::int32_t vector = 16;                     // bytes written at once, which divide all places of the destination
  std::int32_t n_rows = 1, rows_each = 1;       // of a block, a multiple; those for which a thread reads an index once
  std::uint32_t row_units = 1;                  // n
  std::uint32_t all_rows = 1;                   // R
  std::int32_t span = 1;                        // bytes of a source row that the array reaches
  std::int64_t src_offset = 0, dst_offset = 0;  // bytes: of the first row, where the span and the destination begin
  std::int64_t src_begin = 0, src_end = 0;      // bytes: of all rows; vectors that are not inside are read unit by unit
  OuterAxes rows = {};

  CRINKLE_HD constexpr std::int32_t n() const { return vector / unit; }
  CRINKLE_HD constexpr std::uint32_t n_pieces() const { return row_units / static_cast<std::uint32_t>(n()); }  // of a destination row
  CRINKLE_HD constexpr std::uint32_t n_blocks() const { return (all_rows - 1) / static_cast<std::uint32_t>(n_rows) + 1; }
  CRINKLE_HD constexpr std::uint32_t n_items() const { return n_pieces() * static_cast<std::uint32_t>(n_rows / rows_each); }  // of a block
  /// Bytes from one row to the next in shared memory, where a row begins at any unit of a vector.
  CRINKLE_HD constexpr std::int32_t pitch() const { return pitch_of(span); }
  CRINKLE_HD static constexpr std::int32_t pitch_of(std::int32_t span) { return (span + 2 * (load_bytes - 1)) / load_bytes * load_bytes; }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return n_rows * pitch(); }

  struct Row {
    std::int64_t src = 0;  // bytes: the aligned vector in which the span begins
    std::int64_t dst = 0;
    std::int32_t phase = 0;      // bytes of that vector before the span
    std::int32_t n_vectors = 0;  // 0: there is no such row
  };
  CRINKLE_HD constexpr Row row(std::uint32_t block, std::int32_t r) const {
    Row row;
    const std::uint32_t number = block * static_cast<std::uint32_t>(n_rows) + static_cast<std::uint32_t>(r);
    if (number >= all_rows) return row;
    const OuterAxes::Offset at = rows.at(number);
    const std::int64_t begin = src_offset + at.src;
    row.phase = static_cast<std::int32_t>(begin & (load_bytes - 1));
    row.src = begin - row.phase;
    row.dst = dst_offset + at.dst;
    row.n_vectors = (row.phase + span + load_bytes - 1) / load_bytes;
    return row;
  }
  /// Whether the vector at an address may be read whole.
  CRINKLE_HD constexpr bool is_inside(std::int64_t address) const { return address >= src_begin && address + load_bytes <= src_end; }
};

}  // namespace crinkle::tile
