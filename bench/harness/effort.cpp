// SPDX-License-Identifier: BSD-3-Clause
#include "harness/effort.hpp"

#include <algorithm>
#include <utility>

namespace crinkle::bench {

void take_hot_and_cold(std::vector<Contender>& contenders, const Effort& effort, const Clock& cold) {
  take_turns(contenders, std::max(effort.n_samples, least_samples), effort.limit_seconds);
  if (!effort.has_cold) return;
  std::vector<Contender> once;
  std::vector<Contender*> whose;
  for (Contender& c : contenders) {
    if (!c.has_cold) continue;
    once.push_back({.name = c.name, .run = c.run, .is_repeated = false, .clock = cold});
    whose.push_back(&c);
  }
  take_turns(once, least_samples, effort.limit_seconds);
  for (std::size_t k = 0; k < once.size(); ++k) whose[k]->cold_seconds = std::move(once[k].seconds);
}

}  // namespace crinkle::bench
