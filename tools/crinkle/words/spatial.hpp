// Says where the axes of a result come from, for formats that know where their voxels lie (NIfTI).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "formats/facts.hpp"
#include "words/wish.hpp"

namespace crinkle::tool {

/// Per output axis the source axis and the affine law that all its data follow; −1 for axes that are split, merged, new or taken at
/// indices without such a law. What a pad repeats is not asked: the law is that of the unpadded part. A rolled axis has the law of the
/// axis that is not rolled, and says so.
SpatialChange spatial_change(const Wanted& wanted);

/// Refuses verbs behind --orient that turn the volume again, in a file `path` that says where its axes lead: they contradict each other.
void check_letters(const std::string& orient, const std::string& path, const OutputFacts& output);

}  // namespace crinkle::tool
