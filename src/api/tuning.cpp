// SPDX-License-Identifier: BSD-3-Clause
#include "api/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace crinkle {

Tuning tuning_of(const CpuStep& step, int n_workers) {
  const bool is_parted = step.gathers.empty() ? step.limits.is_parted(step.n_bytes, n_workers) : n_workers > 1;
  return {is_parted, step.limits.is_streamed(step.n_bytes, is_parted || !step.gathers.empty()), step.limits.habits};
}

CpuLimits limits_of(const CpuStep& step, const Tuning& tuning) {
  const auto moved = [&](std::int64_t limit, bool is_reached) {
    return is_reached ? std::min(limit, step.n_bytes) : std::max(limit, step.n_bytes + 1);
  };
  CpuLimits limits = step.limits;
  limits.parted_bytes = moved(limits.parted_bytes, tuning.is_parted);
  limits.streamed_bytes = moved(limits.streamed_bytes, tuning.is_streamed);
  if (tuning.is_streamed) limits.lone_streamed_bytes = limits.parted_streamed_bytes = 0;
  limits.habits = tuning.habits;
  return limits;
}

std::vector<Tuning> tunings_to_try(const CpuStep& step, int n_workers) {
  const Tuning estimate = tuning_of(step, n_workers);
  std::vector<Tuning> list{estimate};
  std::vector<simd::Habits> all_habits = simd::candidates();
  all_habits.insert(all_habits.begin(), estimate.habits);
  const bool can_choose_threads = n_workers > 1 && step.gathers.empty();
  for (const bool is_parted : {false, true}) {
    if (is_parted != estimate.is_parted && !can_choose_threads) continue;
    for (const bool is_streamed : {false, true}) {
      for (const simd::Habits& habits : all_habits) {
        // Habits are of large moves: with the other number of threads only the estimate's are tried.
        if (is_parted != estimate.is_parted && !(habits == estimate.habits)) continue;
        const Tuning tuning{is_parted, is_streamed, habits};
        if (std::find(list.begin(), list.end(), tuning) == list.end()) list.push_back(tuning);
      }
    }
  }
  return list;
}

bool is_faster(const std::vector<double>& seconds, const std::vector<double>& than) {
  constexpr double noise = 1.03;  // medians of 9 runs of one move differ by up to 2 %
  std::size_t n_faster = 0;
  for (std::size_t k = 0; k < seconds.size(); ++k) n_faster += noise * seconds[k] < than[k] ? 1U : 0U;
  return 3 * n_faster > 2 * seconds.size();
}

std::string print(const Tuning& tuning, int n_workers) {
  std::string text = fmt::format("on {} thread{}, stored {} the caches", tuning.is_parted ? n_workers : 1,
                                 tuning.is_parted && n_workers > 1 ? "s" : "", tuning.is_streamed ? "past" : "through");
  simd::for_each_habit(tuning.habits, [&](const char* name, const auto& value) { text += fmt::format(", {} {}", name, value); });
  return text;
}

}  // namespace crinkle
