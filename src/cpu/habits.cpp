// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/habits.hpp"

#include <algorithm>

namespace crinkle::simd {
namespace {

// Xeon with AVX-512, 2026-11-20, crinkle bench copy: four places and a prefetch 28 GB/s on one core, one place 26.
// Copies, flips and rolls of 64 KiB to 1 MiB by one thread took 1.3 to 2.4 times as long as NumPy's copyto at four places in turn or past
// the caches (2026-11-22, bench/numpy_copyto.py).
constexpr Habits usual{};
// EPYC (family 26), 2026-11-21, crinkle bench copy: one place without a prefetch 47 GB/s on one core, four places 32.
// Rows of 32 KiB in another order go at 0.6 to 0.7 of the copy there without the next row fetched early, at 0.7 to 0.8 with 8 KiB of it
// (flip_y). 2026-11-22, crinkle bench permute, one core: 32 source rows in turn 0.47 of a copy (transpose_16384_el4) and 0.42
// (transpose_odd_el4), through a stage 0.64 and 0.59. Copies, flips and rolls of 4 MiB by one thread take 1.05 times as long past the
// caches (1 MiB and 32 MiB) as through them, of 6 MiB 0.9 times (2026-11-22, bench/small.cpp). Rolls of rows of 132 and 400 bytes woven 0.8
// of a copy, run by run 0.5 and 0.25 (crinkle bench permute); on a Xeon with AVX-512 0.3 and 0.4, run by run 0.70 and 0.76. Records of
// seven, eight and nine floats taken apart line by line 0.60, 0.65 and 0.62 of a copy, else 0.58, 0.51 and 0.24; on that Xeon 0.58, 0.55,
// 0.52 and 0.73, 0.64, 0.69. Rows of 32 KiB in another order, read in the order of the source, 1.0 of a copy (crinkle_y_2), in that of the
// destination 0.65; on that Xeon with two threads 0.5 to 0.9 and 1.05.
constexpr Habits amd{1, 0, 8 << 10, true, true, true, 1 << 20, 5 << 20};

bool is_amd() {
#if defined(__x86_64__)
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
#endif
}

}  // namespace

const Habits& habits() {
  static const Habits own = is_amd() ? amd : usual;
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
  vary(&Habits::weaves_runs, false, true);
  vary(&Habits::unweaves_records, false, true);
  return list;
}

}  // namespace crinkle::simd
