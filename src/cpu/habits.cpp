// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/habits.hpp"

#include <algorithm>

namespace crinkle::simd {
namespace {

// docs/tuning.md has the measurements behind each value.

constexpr Habits usual{};

// AMD's, and of family 25 what is not said here as the others.
constexpr Habits amd{.places = 1,
                     .ahead = 0,
                     .reach = 8 << 10,
                     .stages_rows = true,
                     .strip = 256,
                     .shadow = 0,
                     .long_run = 1 << 20,
                     .parted_bytes = 2 << 20,
                     .lone_streamed_bytes = 5 << 20,
                     .parted_streamed_bytes = 0};

constexpr Habits amd_of_family_25 = [] {
  Habits h = amd;
  h.parted_bytes = 768 << 10;
  h.parted_streamed_bytes = 8 << 20;
  return h;
}();

Habits of_this_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_is("amdfam19h") != 0) return amd_of_family_25;
  if (__builtin_cpu_is("amd") != 0) return amd;
#endif
  return usual;
}

}  // namespace

const Habits& habits() {
  static const Habits own = of_this_processor();
  return own;
}

std::vector<Habits> candidates() {
  std::vector<Habits> list{habits()};
  const auto add = [&](const Habits& other) {
    if (std::find(list.begin(), list.end(), other) == list.end()) list.push_back(other);
  };
  const auto vary = [&](auto field, auto... values) {
    for (const auto value : {values...}) {
      Habits other = habits();
      other.*field = value;
      add(other);
    }
  };
  add(usual);
  add(amd);
  vary(&Habits::places, 1, 2, 4);
  vary(&Habits::ahead, 0, 256, 1024);
  vary(&Habits::reach, 0, 4 << 10, 16 << 10);
  vary(&Habits::stages_rows, false, true);
  vary(&Habits::strip, 64, 128, 256);
  vary(&Habits::shadow, 0, 256);
  return list;
}

}  // namespace crinkle::simd
