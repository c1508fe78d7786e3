// A processor's habits: how many places of an array to go through in turn, how far ahead to fetch. These are the measured constants of
// the CPU executor that differ between processors; a measured plan tries others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace crinkle::simd {

struct Habits {
  static constexpr int most_places = 4;

  int places = 4;                         // of a part's long rows, copied in turn, at most that many
  std::int64_t ahead = 256;               // bytes that a long run is fetched ahead; 0: the processor does it
  std::int64_t reach = 0;                 // bytes that the next row is fetched before this one ends
  bool stages_rows = false;               // few source streams are followed: rows of transposes are read in order, or through a stage
  std::int64_t strip = 128;               // bytes of a column that leave a stage at once, whole lines, at most 256
  std::int64_t shadow = 256;              // bytes behind a store, seen from the beginnings of their pages, where loads wait for it
  std::int64_t long_run = 4096;           // bytes that both sides keep together: rows of their own, and not runs of a transposition
  std::int64_t parted_bytes = 768 << 10;  // below this a move is not worth waking a second thread
  // Moves of rows and records below these sizes are stored through the caches: by one thread, by several.
  std::int64_t lone_streamed_bytes = 2 << 20, parted_streamed_bytes = 4 << 20;

  int n_places() const { return std::clamp(places, 1, most_places); }
  friend bool operator==(const Habits&, const Habits&) = default;
};

/// The habits of the processor that this runs on.
const Habits& habits();

/// The habits of this processor first, then what else is worth trying on any: another one's, and each field by itself.
std::vector<Habits> candidates();

/// Calls f(name, value) for every field: the one place that knows their names.
template <class AnyHabits, class F>
void for_each_habit(AnyHabits& habits, F&& f) {
  auto& [places, ahead, reach, stages_rows, strip, shadow, long_run, parted, lone_streamed, parted_streamed] = habits;
  static_cast<void>(long_run);  // sweeps are chosen before anything is tried
  static_cast<void>(parted);    // this, and whether stores go past the caches, is tried by itself
  static_cast<void>(lone_streamed);
  static_cast<void>(parted_streamed);
  f("places", places);
  f("ahead", ahead);
  f("reach", reach);
  f("stages_rows", stages_rows);
  f("strip", strip);
  f("shadow", shadow);
}

}  // namespace crinkle::simd
