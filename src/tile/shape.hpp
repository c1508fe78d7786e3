// A shape is what a planner decides about a tile; the tile follows from it. A shape names axes of the box and their extents inside the
// tile; everything else is arithmetic: build.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <variant>

#include "tile/gathered_tile.hpp"
#include "tile/record_tile.hpp"
#include "tile/row_tile.hpp"
#include "tile/segmented_tile.hpp"
#include "tile/transposed_tile.hpp"

namespace crinkle::tile {

enum class Kind : std::uint8_t { rows, transposed, gathered, segmented, records };

/// The word for a kind: "rows", "transposed", "gathered", "segmented", "records".
const char* name_of(Kind kind) noexcept;

/// Axes of a box, fastest first, whole but for the last, of which `tile` indices lie inside.
struct Group {
  std::int32_t count = 0;
  Array<std::int32_t, max_group_digits> axis = {};
  std::int64_t tile = 1;

  constexpr bool holds(std::int32_t a) const {
    for (int i = 0; i < count; ++i)
      if (axis[i] == a) return true;
    return false;
  }
};

struct Shape {
  Kind kind = Kind::gathered;
  std::int32_t threads = 256;
  std::int32_t alignment = 16;  // of the slots' first bytes
  std::int32_t lean = 0;        // gathered: bytes of the windows that destination rows lean to, 0 for none
  std::int32_t pace_bytes = 0;  // rows of plain vectors: shared memory that nothing uses, so that not too many blocks run at once
  Group source;                 // transposed, gathered
  Group destination;            // rows: the row is cut into `tile` pieces, and `source.tile` rows go together; segmented: `tile` rows
                                // that follow each other in the destination are a run, and `source.tile` runs go together
};

using Tile = std::variant<RowTile, TransposedTile, GatheredTile, SegmentedTile, RecordTile>;

/// The tile of a shape. Requires: destination strides positive and descending; for `rows` of a box, its last axis is the row.
/// An axis in both groups is cut the same in both, as their last axis, or not at all. Throws too_large beyond 2^31 − 1 blocks.
Tile build(const Box& box, const Shape& shape);
Tile build(const Rows& rows, const Shape& shape);  // of kind rows or segmented

/// The tile of boxes that go together, as records whose fields have different places: their longest axes are equal. It takes so many bytes
/// of the source; `alignment` divides the address of every buffer. Nothing where records are too long, too scattered or not apart.
std::optional<RecordTile> build_records(const Boxes& boxes, std::int32_t alignment, std::int64_t tile_bytes);

/// Pieces of a row, the box's last axis, counted from the 128-byte line in which it begins: a few more than it fills where rows begin
/// anywhere in a line.
std::int64_t row_pieces(const Box& box, std::int32_t alignment);

const Frame& frame_of(const Tile& tile);
std::int32_t threads_of(const Tile& tile);
std::int32_t shared_bytes_of(const Tile& tile);

/// The source run of a group is one stretch of bytes: each axis starts where the faster ones end.
bool is_contiguous_source(const Box& box, const Group& group);
bool is_contiguous_destination(const Box& box, const Group& group);

/// The bytes that a row needs of the source, from its origin on.
struct RowWindow {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t n_bytes() const { return last - first; }
};
RowWindow window_of(const Rows& rows);

/// A segmented tile needs rows of one source buffer whose windows go into shared memory and are not much longer than the rows.
bool can_segment(const Rows& rows, const Shape& shape);

/// A transposed tile needs groups without a common axis, contiguous forwards runs on both sides (a source axis that runs backwards is
/// turned round), and every row of both sides in whole aligned 16-byte vectors.
bool can_transpose(const Box& box, const Shape& shape);

}  // namespace crinkle::tile
