// SPDX-License-Identifier: BSD-3-Clause
#include "base/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace crinkle {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double seconds_of(const Contender& c) {
  if (c.is_warmed) c.run();
  const double seconds = c.clock([&c] {
    for (std::int64_t k = 0; k < c.repeats; ++k) c.run();
  });
  return seconds / static_cast<double>(c.repeats);
}

}  // namespace

double host_seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return seconds_since(start);
}

void take_turns(std::span<Contender> contenders, int n_rounds, double limit_seconds) {
  const auto start = std::chrono::steady_clock::now();
  double of_round = 0;
  for (Contender& c : contenders) {
    const double once = seconds_of(c);
    of_round += once;
    if (c.is_repeated && once < c.sample_seconds) {
      const double again = std::max(seconds_of(c), 1e-9);
      c.repeats = static_cast<std::int64_t>(std::ceil(std::max(1.0, c.sample_seconds / again)));
    }
  }
  const std::size_t n = contenders.size();
  const int least = of_round < long_round_seconds ? least_samples : few_samples;
  for (int round = 0; round < n_rounds && (round < least || seconds_since(start) < limit_seconds); ++round) {
    for (std::size_t k = 0; k < n; ++k) {
      Contender& c = contenders[(k + static_cast<std::size_t>(round)) % n];
      c.seconds.push_back(seconds_of(c));
    }
  }
}

double quantile(std::vector<double> samples, double p) {
  std::sort(samples.begin(), samples.end());
  const double at = p * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto above = std::min(below + 1, samples.size() - 1);
  return std::lerp(samples[below], samples[above], at - static_cast<double>(below));
}

}  // namespace crinkle
