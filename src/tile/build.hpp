// One builder per kind of tile; shape.hpp's build() chooses between them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/shape.hpp"

namespace crinkle::tile {

TransposedTile build_transposed(const Box& box, const Shape& shape);
GatheredTile build_gathered(const Box& box, const Shape& shape);
RowTile build_rows(const Rows& rows, const Shape& shape);
SegmentedTile build_segmented(const Rows& rows, const Shape& shape);

}  // namespace crinkle::tile
