// SPDX-License-Identifier: BSD-3-Clause
#include "cpu/habits.hpp"

namespace crinkle::simd {
namespace {

// Xeon with AVX-512, 2026-11-20, crinkle bench copy: four places and a prefetch 28 GB/s on one core, one place 26.
constexpr Habits usual{};
// EPYC (family 26), 2026-11-21, crinkle bench copy: one place without a prefetch 47 GB/s on one core, four places 32.
// Rows of 32 KiB in another order go at 0.7 of the copy there without the next row fetched early, at 0.85 with 8 KiB of it.
// 2026-11-22, crinkle bench permute, one core: 32 source rows in turn 0.47 of a copy (transpose_16384_el4) and 0.42 (transpose_odd_el4),
// through a stage 0.64 and 0.59.
constexpr Habits amd{1, 0, 8 << 10, true};

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

}  // namespace crinkle::simd
