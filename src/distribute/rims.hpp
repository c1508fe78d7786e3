// Halos beside computing: what of a rank's part can be computed before anything has arrived, and the rims around it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/distribute.hpp"

namespace crinkle::distributed {

/// Gives the step its inner parts and rims, where these bring less together than `fetch` does. `from`: the layouts of its inputs.
void add_rims(DistributedOperation::Step& step, const std::vector<Distribution>& from);

/// What every rank has to fetch of an input for these parts. A part of no cuts needs all.
Redistribution fetch_of(const Operation& op, const std::vector<Ranges>& parts, const Distribution& from, std::size_t input);

/// Elements from the first of a dense box of these ranges to the first of a part of it; −1 where the part does not lie there in a row.
std::int64_t place_in(const Ranges& box, const Ranges& part);

/// An inner part in slices of about so many bytes of output, at most so many, each of which needs what lies in a row in `held`, what the
/// rank has of every input. Fewer where slices would need much more than the whole.
std::vector<Ranges> slices_of(const Operation& op, const Ranges& inner, const std::vector<Ranges>& held, std::int64_t most,
                              std::int64_t bytes);

/// Whether a range of the part has no elements.
bool is_empty(const Ranges& part);

}  // namespace crinkle::distributed
