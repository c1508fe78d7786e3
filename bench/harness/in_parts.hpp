// Work on all workers of a CPU, several parts for each.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/executor.hpp"

namespace crinkle::bench {

/// body(first, last) for parts of [0, n) that are about equal, several for each worker.
template <class Body>
void in_parts(std::int64_t n, Executor& executor, const Body& body) {
  const std::int64_t n_parts = executor.n_workers() == 1 ? 1 : std::int64_t{8} * executor.n_workers();
  executor.parallel_for(n_parts, [&](std::int64_t part) { body(n * part / n_parts, n * (part + 1) / n_parts); });
}

}  // namespace crinkle::bench
