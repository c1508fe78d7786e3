// Refuses arrays that cannot be computed with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/layout.hpp"
#include "crinkle/number.hpp"
#include "crinkle/rearrangement.hpp"

namespace crinkle {

/// Bytes [first, last) from the buffer's origin on; nothing for an array without elements. Throws too_large.
ByteSpan bytes_touched_by(const Layout& layout);

/// Throws bad_shape for strides that are not one an extent, elements of another size than the type's and negative extents, too_large where
/// an address has no 64-bit number. `what`: "source".
void check_array(const Layout& layout, NumberType type, const char* what);

}  // namespace crinkle
