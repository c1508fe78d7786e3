// How much time a suite spends on a row, and how all that take turns spend it: hot, where a run finds in the caches what those before it
// left there, and cold, where it finds nothing.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "base/timing.hpp"

namespace crinkle::bench {

struct Effort {
  int n_samples = 9;              // of hot runs; fewer where limit_seconds are over (take_turns)
  double limit_seconds = 10;      // of one case
  std::int64_t memory_bytes = 0;  // source and destination together; 0: no limit
  bool has_cold = true;
};

/// Hot samples as the effort says. Then, where it has cold ones, least_samples rounds more, in which every sample is one run, timed by a
/// clock that empties the caches before it.
void take_hot_and_cold(std::vector<Contender>& contenders, const Effort& effort, const Clock& cold);

}  // namespace crinkle::bench
