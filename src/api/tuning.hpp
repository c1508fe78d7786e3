// A tuning is what a measured plan chooses for a step on this machine. Here is what there is to choose from, and when a choice is kept.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "move/cpu/move.hpp"

namespace crinkle {

struct Tuning {
  bool is_parted = false;    // among all workers; else on the caller's thread alone
  bool is_streamed = false;  // stored past the caches
  simd::Habits habits;
  double gain = 1;  // the estimate's time over this one's

  friend bool operator==(const Tuning& a, const Tuning& b) {
    return a.is_parted == b.is_parted && a.is_streamed == b.is_streamed && a.habits == b.habits;
  }
};

/// The choices that a step makes under its limits.
Tuning tuning_of(const CpuStep& step, int n_workers);
/// The limits that have the step do so; those that it has already where nothing else would change. Ensures: tuning_of(…) of them is
/// `tuning`.
CpuLimits limits_of(const CpuStep& step, const Tuning& tuning);
/// The estimate first, then what differs from it.
std::vector<Tuning> tunings_to_try(const CpuStep& step, int n_workers);

/// Whether one thing is faster than another, of times taken in turns: by more than 3 % in more than two thirds of the rounds.
/// Requires as many of either.
bool is_faster(const std::vector<double>& seconds, const std::vector<double>& than);

/// "on 2 threads, stored past the caches, places 1, ahead 0"
std::string print(const Tuning& tuning, int n_workers);

}  // namespace crinkle
