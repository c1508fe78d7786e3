// What is refused of a sweep, and of its buffers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/sweeper.hpp"

namespace crinkle {

inline constexpr std::int64_t widest_offset = std::int64_t{1} << 20;  // cells along an axis

/// Whether sums are float32, as against float64.
inline bool sums_are_float32(NumberType source, NumberType destination) {
  const auto is_short = [](Number n) { return n == Number::float16 || n == Number::float32; };
  return is_short(source.number) && is_short(destination.number);
}

/// The sweep with axes counted from 0 and one pair of faces an axis. Throws what Sweeper throws.
Sweep checked(Sweep sweep);
/// Throws bad_shape, overlap. Requires a checked sweep.
void check_buffers(const Sweep& sweep, ConstBuffer source, ConstBuffer destination);

}  // namespace crinkle
