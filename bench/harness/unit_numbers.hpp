// The numbers that suites compute with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/executor.hpp"

namespace crinkle::bench {

/// Numbers in [0, 1), all different for another seed and the same for the same one.
void fill_unit(float* data, std::int64_t count, std::uint64_t seed, Executor& executor);

}  // namespace crinkle::bench
