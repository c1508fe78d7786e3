// The widest unit a box can be moved in: the largest power of two up to 16 that divides the run that is contiguous on both
// sides, all other strides, both offsets and the alignment of the buffers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/axis.hpp"

namespace crinkle {

/// Ensures: same map; unit as above, at least what it was. A box without a contiguous run keeps its unit. Requires a simplified box.
/// `alignment` is that of the buffers' first bytes: 1, 2, 4, 8 or 16.
void widen(Box& box, std::int64_t alignment);

}  // namespace crinkle
