// Which butterflies a length is made of.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace crinkle::fft {

/// Radices of the stages of n, in their order: 2 to 16 that are built, and odd primes up to 61. Empty for n = 1 and for an n that has a
/// larger prime factor (has_radices). Requires n ≥ 1.
std::vector<std::int64_t> radices_of(std::int64_t n);
bool has_radices(std::int64_t n);

/// The smallest 2^a 3^b 5^c ≥ n that is a multiple of `of`, a power of two.
std::int64_t smooth_length(std::int64_t n, std::int64_t of);

}  // namespace crinkle::fft
