// The choice of tiles for boxes and that for rows share this.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/checked.hpp"
#include "plan/tiling.hpp"

namespace crinkle {

inline constexpr std::int32_t vector_bytes = 16;
inline constexpr std::int64_t row_copy = 512;            // bytes: a common run from here on is copied without shared memory
inline constexpr std::int64_t least_segmented_unit = 4;  // bytes: of narrower ones long rows are shifted and turned in registers

inline std::int64_t length_of(std::int64_t stride) { return stride < 0 ? -stride : stride; }

/// The length of parts of an extent that are as even as they can be, of at most `most`.
inline std::int64_t evenly(std::int64_t extent, std::int64_t most) { return ceil_divide(extent, ceil_divide(extent, most)); }

/// Whether the tile asks no more shared memory than a block of the machine has, and leaves room for a second block at once.
bool fits(const tile::Tile& tile, const Machine& machine);

/// Rows that run backwards in whole vectors go one a block from here on: several would go piece by piece. Shorter ones leave a block too
/// little to do, and go through shared memory; units that do not, from half of it on.
inline constexpr std::int64_t least_row_alone = 2048;
enum class InABlock : std::uint8_t { some_rows, one_row };

/// Rows as they lie in memory, without shared memory.
tile::Shape row_shape(const Box& box, const Machine& machine, std::int32_t alignment, InABlock in_a_block = InABlock::some_rows);

/// A row that runs backwards in vectors that are aligned on both sides: each is turned in registers.
bool turns_whole_vectors(const Box& box);

}  // namespace crinkle
