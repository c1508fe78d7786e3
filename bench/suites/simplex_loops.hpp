// The tests of the suite `simplex` on a CPU: the blocks of every map, one after the other, on the workers of an executor.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "suites/simplex_work.hpp"

namespace crinkle::bench {

/// A test by every map, of triplets by every map of the tetrahedron; and on a full rectangle or box. The executor must outlive them.
/// Requires arrays that hold what numbers_needed() says, and for distances an `out` of elements_needed().
std::vector<Way> ways_on_cpu(Work work, Maps maps, const WorkData& data, Executor& executor);
Ceiling dense_on_cpu(Work work, const WorkData& data, Executor& executor);

}  // namespace crinkle::bench
