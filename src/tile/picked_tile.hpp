// Entries that an index array picks, of whole vectors, one array for all rows:
//     dst[r][to[j]] = src[r][from[j]],   r in [0, R), j in [0, n),   m vectors of 16 bytes each,
// a vector a thread and step, threads side by side along an entry.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tile/outer_axes.hpp"

namespace crinkle::tile {

/// Bytes that an entry adds on each side: a row of the kernel's table.
struct PickedEntry {
  std::int64_t src = 0, dst = 0;
};

struct PickedTile {
  static constexpr std::uint32_t threads = 256, each = 4;  // of a block, and vectors of a thread, `threads` apart
  static constexpr std::int64_t vector_bytes = 16;

  std::uint32_t n_all = 1;                      // vectors, R·n·m
  Divisor<std::uint32_t> n_vectors, n_entries;  // m, n
  std::int64_t src_offset = 0, dst_offset = 0;  // bytes
  OuterAxes rows = {};

  struct Place {
    std::uint32_t entry = 0;
    std::int64_t src = 0, dst = 0;  // bytes, without the entry's
  };
  /// Requires number < n_all.
  CRINKLE_HD constexpr Place place(std::uint32_t number) const {
    const Division<std::uint32_t> in_entry = n_vectors.divide(number), in_row = n_entries.divide(in_entry.quotient);
    const OuterAxes::Offset row = rows.at(in_row.quotient);
    const std::int64_t along = vector_bytes * in_entry.remainder;
    return {in_row.remainder, src_offset + row.src + along, dst_offset + row.dst + along};
  }
};

}  // namespace crinkle::tile
