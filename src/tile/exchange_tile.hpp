// Tiles that change places within one array: of a box whose axes change places in pairs (square transposes, bit reversal), cut alike along
// both axes of each pair, what one block reads is what its partner writes. A block reads its own tile and its partner's, and then writes
// both; of two partners the one with the lower number does it.
//     partner(Σ i_a · w_a) = Σ i_mirror(a) · w_a        for grid digits i_a of weight w_a
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "tile/gathered_tile.hpp"
#include "tile/shape.hpp"

namespace crinkle::tile {

struct ExchangeTile {
  GatheredTile tile;
  Array<std::uint32_t, max_grid_digits> weight = {};  // of digit mirror(a)

  /// Shared memory: the block's own tile and the tables, which both need, then the partner's tile.
  CRINKLE_HD constexpr std::int32_t partner_at() const { return (tile.shared_bytes() + 127) / 128 * 128; }
  CRINKLE_HD constexpr std::int32_t shared_bytes() const { return partner_at() + tile.staged_bytes(); }

  CRINKLE_HD constexpr std::uint32_t partner(std::uint32_t index) const {
    std::uint32_t mirrored = 0;
    std::uint32_t quotient = index;
    for (int a = 0; a < tile.frame.n_grid; ++a) {
      const GridDigit& digit = tile.frame.grid[a];
      const std::uint32_t next = digit.through.quotient(index);
      mirrored += (quotient - next * digit.extent) * weight[a];
      quotient = next;
    }
    return mirrored;
  }
};

/// Nothing where the shape does not cut the axes of every pair alike, or an axis runs backwards.
std::optional<ExchangeTile> build_exchange(const Box& box, const Shape& shape);

}  // namespace crinkle::tile
