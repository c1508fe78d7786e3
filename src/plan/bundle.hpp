// Which boxes go together: records whose fields go to different places. One by one, every field's box would read, or write, what
// lies between its units for nothing.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "plan/machine.hpp"
#include "plan/stitch.hpp"

namespace crinkle::planning {

/// Takes entries out of the list that share an axis of records (tile::build_records). Ensures: same map.
std::vector<Boxes> take_bundles(RowsList& entries, const Machine& machine);

}  // namespace crinkle::planning
