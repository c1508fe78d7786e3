// An order in which places that follow each other are near each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// All targets, along Morton's curve through a grid of 2^16 cells an axis; in a cell by number.
std::vector<std::int64_t> order_along_curve(const Targets& targets, Executor& executor);
/// The same samples in that order.
SamplePlanes along_curve(const SamplePlanes& samples, Executor& executor);

}  // namespace crinkle::interpolation
