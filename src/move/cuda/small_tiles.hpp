// Small moves as one launch: which they are. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "plan/pass.hpp"
#include "tile/small_tile.hpp"

namespace crinkle {

/// Moves that write no more go unit by unit, if rows of both sides lie along each other (docs/tuning.md: small moves on a GPU).
inline constexpr std::int64_t most_small_bytes = 4 << 20;

/// All that a pass moves, between one source and one destination at multiples of `alignment`, as one tile. Nothing where that is more than
/// `most_bytes` or than a tile has room for, where something is filled, or where threads beside each other would read far apart.
std::optional<tile::SmallTile> small_tile(const planning::Pass& pass, std::int32_t alignment, const Machine& machine,
                                          std::int64_t most_bytes = most_small_bytes);

}  // namespace crinkle
