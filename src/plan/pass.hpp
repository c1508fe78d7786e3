// The planner's decisions about one list of boxes on one machine: rows of segments, and for every alignment that the buffers may have a
// unit and a tile for each. A pure function of its arguments: it never times anything and touches no device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "plan/machine.hpp"
#include "plan/stitch.hpp"
#include "plan/tiling.hpp"

namespace crinkle::planning {

inline constexpr std::array<std::int32_t, 5> alignments = {1, 2, 4, 8, 16};

/// How one entry of a pass is moved when the buffers have a given alignment.
struct Choice {
  std::int32_t unit = 1;  // bytes
  tile::Shape shape = {};
};

struct Variant {
  detail::SmallVector<Choice, 4> choices;  // one per entry
};

struct Pass {
  RowsList entries;                 // simplified and stitched, in destination order
  std::vector<Boxes> bundles;       // boxes that go together, as records whose fields have different places
  std::array<Variant, 5> variants;  // by alignment
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;

  const Variant& variant(std::int64_t alignment) const;  // of a power of two; above 16 counts as 16
};

/// Simplifies, stitches, widens and tiles. Ensures: same map. Cost: at most 5 µs and no allocation for one box of rank 8.
/// Boxes that are repeated by index arrays go one by one.
Pass plan_pass(Boxes boxes, const Machine& machine, bool is_gathered = false);

/// The entry's box as widen() makes it; entries of several segments keep their unit.
Box widened(const tile::Rows& rows, std::int64_t alignment);

/// Whether an entry of several segments can be moved in its units where every access must be aligned to its width: they divide all offsets,
/// strides and the buffers' alignment. Otherwise a GPU moves its segments one by one.
bool keeps_unit(const tile::Rows& rows, std::int64_t alignment);

/// The entry's box as the machine moves it: widened, and on a GPU, where every access must be aligned to its width, in units no wider than
/// the power of two that divides both offsets, all strides and the buffers' alignment. A fill whose pattern has no such period and entries
/// of several segments keep their unit.
Box box_for(const tile::Rows& rows, std::int64_t alignment, const Machine& machine);

/// The tile of an entry's choice: of its rows, or of its box as the machine moves it. Requires keeps_unit() of an entry of several
/// segments.
tile::Tile tile_of(const tile::Rows& rows, const Choice& choice, std::int64_t alignment, const Machine& machine);

/// The tile of a bundle. Nothing where buffers of this alignment do not suit it: its boxes go one by one then.
std::optional<tile::RecordTile> tile_of(const Boxes& bundle, std::int64_t alignment, const Machine& machine);

/// Everything that a pass moves, as boxes.
Boxes all_boxes(const Pass& pass);

}  // namespace crinkle::planning
