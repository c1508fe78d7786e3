// Crinkles by a step that does not divide come as boxes of phases of different lengths. Put side by side they are rows of segments:
//     crinkle     phases lie behind each other in the destination: a whole row is a row of as many segments
//     uncrinkle   phases lie unit by unit in the destination: the part that all phases have is short rows, one unit of each phase; what
//                 some have more is cut off
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan/stitch.hpp"

namespace crinkle::planning {

/// The same map in fewer or longer rows where boxes are such phases, else as given. Ensures the destination of a unit is unchanged.
RowsList with_phases_together(const RowsList& list);

}  // namespace crinkle::planning
