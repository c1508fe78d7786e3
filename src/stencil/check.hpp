// Refuses wrong sweeps.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "crinkle/sweeper.hpp"

namespace crinkle {

inline constexpr std::int64_t widest_offset = std::int64_t{1} << 20;  // cells along an axis

/// Whether sums are float32; otherwise they are float64.
inline bool sums_are_float32(NumberType source, NumberType destination) {
  const auto is_short = [](Number n) { return n == Number::float16 || n == Number::float32; };
  return is_short(source.number) && is_short(destination.number);
}

/// Passes that reach along one axis each, no two along the same: the product of rows of weights.
bool is_separable(const LinearStencil& stencil);
/// The factors of a constant face's value, one for every pass: a separable stencil has the sums of the weights before it, which is
/// what those passes make of nothing but that value; others have 1.
std::vector<double> factors_beyond(const LinearStencil& stencil);

/// The sweep with passes of a separable stencil in the order of the array's axes, so that corners are those of one list, axes counted from
/// 0 and one pair of faces an axis. Throws what Sweeper throws.
Sweep checked(Sweep sweep);

}  // namespace crinkle
