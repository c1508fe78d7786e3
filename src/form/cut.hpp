// A part of a step: what of it writes, or reads, a range of bytes of the array on one side. So an array between two steps need never be
// there as a whole: one range of it is made by a part of the first step and used by a part of the second.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "form/check.hpp"

namespace crinkle {

/// Whether cut() can be asked for this side: one buffer, strides that are nested or become so in at most 4096 boxes a list. Fills are left
/// out on the side that is read.
bool can_be_cut(const Step& step, Side side);

/// The part of `step` with bytes [slab.first, slab.last) on `side`; there they are bytes 0 … of an array of their own. If a gathered axis
/// is cut unevenly, this takes several steps, in any order. Requires can_be_cut(step, side); on the side that is read, fills are left
/// out. Cost: O(boxes · (1 + log entries)) if the slab cuts no unit and no entry unevenly.
std::vector<Step> cut(const Step& step, Side side, ByteSpan slab);

Step data_of(const Step& step);   // what it moves; no fill
Step fills_of(const Step& step);  // what it fills; reads nothing
bool is_nothing(const Step& step);

}  // namespace crinkle
