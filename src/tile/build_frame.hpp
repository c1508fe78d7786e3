// The part of a tile that all kinds share: which axes lie inside, which are cut, and in which order the blocks follow one another.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/axis.hpp"
#include "tile/frame.hpp"

namespace crinkle::tile {

/// Per axis of the box: how many of its indices lie in one tile (1: none but the origin's), and which cut it is, or no_cut.
struct Inside {
  Array<std::int64_t, max_axes> tile = {};
  Array<std::int32_t, max_axes> cut = {};
};

/// Offsets, slots, unit, cuts and grid. `reach` lengthens cut 1 (a leaning tile needs the room). Blocks follow one another along the
/// destination: taken along the source first, or along both by turns, transposes are slower (docs/tuning.md). Throws too_large beyond 2^31
/// − 1 blocks.
Frame build_frame(const Box& box, const Inside& inside, std::int32_t reach);

/// The largest power of two that divides both; `of` itself where `value` is 0. Requires: `of` a power of two.
constexpr std::int64_t common_alignment(std::int64_t of, std::int64_t value) {
  const std::int64_t low = value & -value;
  return value == 0 || low > of ? of : low;
}

}  // namespace crinkle::tile
