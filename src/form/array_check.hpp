// What is refused of arrays that are computed with, and of their buffers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/device.hpp"
#include "crinkle/layout.hpp"
#include "crinkle/number.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// Bytes [first, last) from the buffer's origin on; nothing for an array without elements. Throws too_large.
ByteSpan bytes_touched_by(const Layout& layout);

/// Throws bad_shape for strides that are not one an extent, elements of another size than the type's and negative extents, too_large where
/// an address has no 64-bit number. `what`: "source".
void check_array(const Layout& layout, NumberType type, const char* what);

/// Throws bad_shape where the layout leaves the buffer. `toucher`: "the sweep". Requires a checked array.
void check_room(const Layout& layout, ConstBuffer buffer, const char* what, const char* toucher);

/// Throws overlap where both share bytes. Requires that both have room.
void check_apart(const Layout& source, ConstBuffer from, const Layout& destination, ConstBuffer to);

}  // namespace crinkle
