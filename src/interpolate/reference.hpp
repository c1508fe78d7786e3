// The definition of interpolation, in long double and by brute force: what the fast ways are compared with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// Which samples count at q, nearest first of every sector; `left_out` never does.
std::vector<std::int64_t> reference_neighbours(const SamplePlanes& samples, const Interpolation& how, const std::array<double, 3>& q,
                                               std::int64_t left_out = -1);
/// The value of a column at q. Each of several samples on one place counts as the mean of all of them.
double reference_value(const SamplePlanes& samples, const Interpolation& how, std::int64_t column, const std::array<double, 3>& q,
                       std::int64_t left_out = -1);

}  // namespace crinkle::interpolation
