// Tiles of sweeps that are made plane by plane (cpu/planes.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "stencil/plan.hpp"

namespace crinkle {

/// The shape of the tiles of a stage that is made where its cells lie; nothing where lines are long, or copies of planes would be large.
std::optional<AxisNumbers> shape_of_planes(const SweepShape& shape, const Region& region, const Stage& stage, std::int64_t element_bytes);

}  // namespace crinkle
