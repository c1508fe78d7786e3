// The planner's choice of a tile for one box on one machine: which axes lie inside, how long, which kind. A pure function.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "plan/machine.hpp"
#include "tile/exchange_tile.hpp"
#include "tile/shape.hpp"

namespace crinkle {

/// A shape, its tile, and the kinds that were passed over.
struct Tiling {
  tile::Shape shape;
  tile::Tile tile;
};

/// Requires: a canonical, widened box (destination strides positive and descending, no extent below 2); `alignment`, a power of two,
/// divides the address of every buffer. Throws too_large beyond 2^31 − 1 blocks. Cost: no allocation for boxes of up to 8 axes.
Tiling choose_tile(const Box& box, const Machine& machine, std::int32_t alignment = 16);

/// The same for rows of segments: a tile of rows, or of short ones.
Tiling choose_tile(const tile::Rows& rows, const Machine& machine, std::int32_t alignment = 16);

/// Whether rows of several segments go well as rows: where their segments are runs, or whole rows go into shared memory. Otherwise the
/// segments go as boxes of their own.
bool goes_in_rows(const tile::Rows& rows, const Machine& machine);

/// The shape of a tile for short rows; can_segment() says whether there can be one.
tile::Shape segmented_shape(const tile::Rows& rows, const Machine& machine, std::int32_t alignment);
bool can_segment(const tile::Rows& rows, const tile::Shape& shape, const Machine& machine);

/// The general staged tile, which suits every box that moves along bytes on both sides.
tile::Shape gathered_shape(const Box& box, const Machine& machine, std::int32_t alignment, std::int64_t n_alike = 1);

/// Tiles for a box whose axes change places in pairs: two change places within the array, in a block's shared memory. Nothing
/// where there are none (tile/exchange_tile.hpp), or no run is longer than a unit.
std::optional<tile::ExchangeTile> exchange_tile(const Box& box, const Machine& machine, std::int32_t alignment = 16);

/// The shape alone, which a plan keeps; the tile follows from it. `n_alike` boxes of about this size go together: one alone has tiles for
/// every multiprocessor, each of a thousand does not.
tile::Shape choose_shape(const Box& box, const Machine& machine, std::int32_t alignment = 16, std::int64_t n_alike = 1);
tile::Shape choose_shape(const tile::Rows& rows, const Machine& machine, std::int32_t alignment = 16);

}  // namespace crinkle
