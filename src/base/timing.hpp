// Timing: all that are compared take turns, so that a machine that changes its pace changes it for all of them; the median counts, and the
// interquartile range says how far to trust it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace crinkle {

inline constexpr int least_samples = 7;
inline constexpr int few_samples = 3;  // where a round of all takes long:
inline constexpr double long_round_seconds = 2;
inline constexpr double usual_sample_seconds = 200e-6;  // the clock and a thread's wake-up are below 1 % of it

/// Seconds that some work takes.
using Clock = std::function<double(const std::function<void()>& work)>;

/// The seconds by the host's clock, until the work returns.
double host_seconds(const std::function<void()>& work);

struct Contender {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds = {};       // one per round, of one run
  std::vector<double> cold_seconds = {};  // likewise, of runs that found the caches empty, where there were any
  std::int64_t repeats = 1;               // runs that a sample is the mean of
  bool is_repeated = true;                // short runs are, to a sample of sample_seconds
  bool is_warmed = false;                 // runs once untimed before each sample, so that it finds what it left in the caches itself
  Clock clock = host_seconds;
  double sample_seconds = usual_sample_seconds;
  bool has_cold = true;  // where cold runs are taken: so are some of this
};

/// Rounds in which every contender runs once, each round beginning with another one. All run once before, untimed. Runs shorter than
/// their sample_seconds are repeated to that length where they may be. `n_rounds` rounds, but none beyond the seventh, or the third where
/// one takes longer than long_round_seconds, once `limit_seconds` are over.
void take_turns(std::span<Contender> contenders, int n_rounds, double limit_seconds);

/// The p-quantile for 0 ≤ p ≤ 1, between two samples by linear interpolation. Requires one sample.
double quantile(std::vector<double> samples, double p);
inline double median(const std::vector<double>& samples) { return quantile(samples, 0.5); }
inline double interquartile_range(const std::vector<double>& samples) { return quantile(samples, 0.75) - quantile(samples, 0.25); }

}  // namespace crinkle
