// Boxes that differ only along the destination-fast axis are put side by side as rows of segments, so that whoever writes a destination
// line writes it whole and once: rolled, padded and ragged rows. Without this every seam costs two partial lines.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tile/segments.hpp"

namespace crinkle {

using RowsList = detail::SmallVector<tile::Rows, 4>;

/// Ensures: every box is in exactly one entry; the segments of an entry lie one behind the other and begin at unit 0; at most
/// tile::max_segments a row. A box without partners is an entry of one segment. Requires simplified boxes.
RowsList stitch(const Boxes& boxes);

/// The same map as boxes again, one per segment.
Boxes boxes_of(const tile::Rows& rows);

}  // namespace crinkle
