// Plans of computations that calls from Python keep for the next ones, as they keep those of moves (plan_cache.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/sweeper.hpp"
#include "view.hpp"

namespace crinkle::python {

/// Given to the stream of the arrays, which lie on one GPU, by one of the last sweepers or a new one. Throws what Sweeper throws.
void run_kept_sweeper(const Sweep& sweep, const View& source, const View& destination);

/// Forgets them, and frees what those of a GPU hold there.
void clear_kept_plans();

}  // namespace crinkle::python
