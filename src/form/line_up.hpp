// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/axis.hpp"

namespace crinkle {

/// Boxes that are alike but for where they begin, and lie evenly apart on both sides, in bytes or in buffers, become one box with one more
/// axis; what is left stays as it is. Ensures: same map. Requires boxes without fills. Cost: O(n log n)
/// for n boxes, at most 64 lines from every box on looked at.
Boxes lined_up(const Boxes& boxes);

}  // namespace crinkle
