// In which order records are visited: a bijection of [0, n), computed in place, the same on a CPU and on a GPU, so that no array of numbers
// is read beside the records.
//     strided   position t  ->  phase p, row q:  p + q·step;  the first n mod step phases have ⌈n / step⌉ rows, the others ⌊n / step⌋
//     random    t  ->  the first of π(t), π(π(t)), … below n, for a permutation π of [0, 2^m), 2^m ≥ n (cycle walking, Black and Rogaway
//               2002): multiplications by odd numbers modulo 2^m and xors with the upper half are each one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "crinkle/detail/hd.hpp"

namespace crinkle::advising {

struct Visit {
  enum class Kind : std::uint8_t { sequential, random, strided };

  Kind kind = Kind::sequential;
  std::int64_t n = 0;
  // strided
  std::uint64_t n_long = 0;                      // phases of one row more
  Divisor<std::uint64_t> long_rows, short_rows;  // of a phase
  std::int64_t step = 1;
  // random
  std::uint64_t mask = 0, key = 0;  // 2^m − 1; of the permutation
  std::int32_t half = 1;            // bits: ⌈m / 2⌉, at least 1

  CRINKLE_HD static constexpr Visit sequential(std::int64_t n) {
    Visit v;
    v.n = n;
    return v;
  }
  /// Requires 1 ≤ step.
  CRINKLE_HD static constexpr Visit strided(std::int64_t n, std::int64_t step) {
    Visit v;
    v.kind = Kind::strided;
    v.n = n;
    v.step = step;
    v.n_long = static_cast<std::uint64_t>(n % step);
    const auto rows = static_cast<std::uint64_t>(n / step);
    v.long_rows = Divisor<std::uint64_t>(rows + 1);
    v.short_rows = Divisor<std::uint64_t>(rows);  // 0 where no phase is short: then it is never asked
    return v;
  }
  CRINKLE_HD static constexpr Visit random(std::int64_t n, std::uint64_t seed) {
    Visit v;
    v.kind = Kind::random;
    v.n = n;
    v.key = seed * 0x9E3779B97F4A7C15u + 0xD1342543DE82EF95u;
    std::int32_t bits = 1;
    while (bits < 63 && (std::int64_t{1} << bits) < n) ++bits;
    v.mask = (std::uint64_t{1} << bits) - 1;
    v.half = (bits + 1) / 2;
    return v;
  }

  /// The record that is visited at position t, for 0 ≤ t < n.
  CRINKLE_HD constexpr std::int64_t record(std::int64_t t) const {
    if (kind == Kind::sequential) return t;
    if (kind == Kind::strided) return in_phases(static_cast<std::uint64_t>(t));
    std::uint64_t x = static_cast<std::uint64_t>(t);
    do x = permuted(x);
    while (x >= static_cast<std::uint64_t>(n));
    return static_cast<std::int64_t>(x);
  }

 private:
  CRINKLE_HD constexpr std::int64_t in_phases(std::uint64_t t) const {
    const std::uint64_t n_in_long = n_long * long_rows.value();
    const bool is_long = t < n_in_long;
    const Division<std::uint64_t> d = is_long ? long_rows.divide(t) : short_rows.divide(t - n_in_long);
    const std::uint64_t phase = d.quotient + (is_long ? 0 : n_long);
    return static_cast<std::int64_t>(phase + d.remainder * static_cast<std::uint64_t>(step));
  }
  CRINKLE_HD constexpr std::uint64_t permuted(std::uint64_t x) const {
    x = ((x ^ key) * 0xBF58476D1CE4E5B9u) & mask;
    x ^= x >> half;
    x = (x * 0x94D049BB133111EBu + (key >> 32)) & mask;
    x ^= x >> half;
    return (x * 0xD6E8FEB86659FD93u) & mask;
  }
};

}  // namespace crinkle::advising
