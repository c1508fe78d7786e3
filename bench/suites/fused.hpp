// The suite `fused`: chains of operations in one pass, beside the same chain step by step, each step a move of its own into an array of its
// own. A chain is a case of the kind `spec` whose options have one value each.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "suites/permute.hpp"

namespace crinkle::bench {

/// The chain's options one by one, then its specification; each begins with what the step before it made.
std::vector<Case> steps_of(const Case& chain, const MakeSpecMap& make_map);

/// The chain step by step as a rival, "step by step": with plans and arrays that are there before it is timed.
Beside beside_steps(const MakeSpecMap& make_map);

}  // namespace crinkle::bench
