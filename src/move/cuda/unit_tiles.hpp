// Boxes as tiles of units, with the index arrays they are repeated for.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "move/cuda/tables.hpp"
#include "move/entries.hpp"
#include "tile/unit_tile.hpp"

namespace crinkle {

/// Index arrays as they lie in a device's memory.
struct EntriesAt {
  std::vector<tile::UnitTile::Digit> digits;  // one per array
  std::int64_t src_first = 0, dst_first = 0;  // bytes that every unit adds
};

/// Appends the arrays to `tables`, each from a multiple of 16 bytes on.
EntriesAt append_entries(std::span<const EntryTable> arrays, std::vector<std::byte>& tables);

/// The units of a box, once for every combination of entries. Throws too_large beyond 2^32 − 1 blocks, and unsupported for more axes than
/// a tile has.
tile::UnitTile unit_tile(const Box& box, const EntriesAt& entries = {});

}  // namespace crinkle
