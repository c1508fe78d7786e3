// Says where the axes of a result come from, for formats that know where their voxels lie (NIfTI).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "formats/facts.hpp"
#include "words/wish.hpp"

namespace crinkle::tool {

/// Per output axis the source axis and the affine law that all its data follow; −1 for axes that are split, merged, new or taken at
/// indices without such a law. What a pad repeats is not asked: the law is that of the unpadded part. A rolled axis has the law of the
/// axis that is not rolled, and says so.
SpatialChange spatial_change(const Wanted& wanted);

}  // namespace crinkle::tool
