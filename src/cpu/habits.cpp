// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/habits.hpp"

#include <algorithm>

namespace crinkle::simd {
namespace {

// Fractions of the best copy, one thread unless said otherwise, by crinkle bench permute; 2026-11-21 and 22.

// Xeon with AVX-512.
//     places, ahead        plain copies 28 GB/s; at one place, or with nothing fetched ahead, 26
//     strip                transposes of 1 and 2 bytes a unit 0.47 and 0.60 (8192 x 8192); with 256 0.42 and 0.51
//     shadow               508400 rows of 132 bytes rolled by one row and 4 bytes woven 0.36 to 0.41, by 8 rows 0.89; run by run 0.50
//     long_run             rows of 32 KiB in another order, in that of the source, with two threads 0.5 to 0.9, else 1.05
//     lone_streamed_bytes  copies, flips and rolls of 64 KiB to 1 MiB past the caches 1.3 to 2.4 times NumPy's time
//                          (bench/numpy_copyto.py)
//     parted_bytes, parted_streamed_bytes
//                          copies, flips and rolls of 1 and 2 MiB on two threads, through their caches, 1.6 to 2.4 and 1.1 to 1.4 times as
//                          fast as 1 MiB on one and 2 MiB past them (bench/small.cpp); records of 1 MiB 1.2 to 1.6 times as past them
//                          (bench/records_rivals.py; 2026-11-23)
constexpr Habits usual{};

// EPYC (family 26).
//     places, ahead        plain copies 47 GB/s; at four places 32
//     reach                rows of 32 KiB in another order 0.7 to 0.8, without 0.6 to 0.7 (flip_y)
//     stages_rows          0.64 and 0.59, with 32 source rows in turn 0.47 and 0.42 (transpose_16384_el4, transpose_odd_el4)
//     long_run             rows of 32 KiB in another order, in that of the source 1.0 (crinkle_y_2), else 0.65
//     parted_bytes, parted_streamed_bytes
//                          on two threads copies and flips of 256 KiB took 1.2 times as long as on one, transposes as long; from 2 MiB on
//                          two were faster, past the caches (bench/small.cpp)
//     lone_streamed_bytes  copies, flips and rolls of 4 MiB past the caches 1.05 times the time, of 6 MiB 0.9 times (bench/small.cpp)
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

// EPYC (family 25): what is not said here as the other.
//     parted_bytes, parted_streamed_bytes
//                          on two threads, through their caches, copies and transposes of 1 MiB took 0.6 of the time on one
//                          (bench/small.cpp), records 0.55 to 0.9 (bench/records_rivals.py); copies of 4 MiB 115 GB/s, past them 48, of 16
//                          MiB 35 and 46 (crinkle bench copy; 2026-11-24)
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
