// The canonical form of boxes: destination strides positive and descending, no extent 1, nothing left to fuse; empty
// boxes gone, neighbours merged. Units are never changed. Canonical keys are promised for one box; lists are compared by their map.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/axis.hpp"

namespace crinkle {

/// Ensures: same map; axes sorted by descending destination stride (a slot axis first), all positive; no two axes fusible. Throws overlap
/// when an axis of extent > 1 has destination stride 0. Cost: O(rank²), no allocation. Requires every extent ≥ 1.
void simplify(Box& box);

/// simplify() for every box, boxes with an extent 0 dropped, and boxes that continue one another merged (all pairs up to 64 boxes, beyond
/// that neighbours in destination order).
void simplify(Boxes& boxes);

/// Whether the destination axes are nested: each stride steps over all that the smaller ones reach, so no byte is written twice.
bool is_nested(const Box& box);

/// The same box moving units of `unit` bytes, which must divide the box's unit. A fill whose pattern has no such period is refused: false.
bool narrow(Box& box, std::int32_t unit);

/// A fill's pattern cut into boxes of `unit` bytes each where it has no such period; otherwise the box narrowed.
void append_narrowed(Boxes& boxes, Box box, std::int32_t unit);

}  // namespace crinkle
