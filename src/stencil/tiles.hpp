// Tiles of sweeps that are made plane by plane (cpu/planes.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "stencil/plan.hpp"

namespace crinkle {

/// The shape of the tiles of a stage that is made where its cells lie; nothing where lines are long, or copies of planes would be large.
std::optional<AxisNumbers> shape_of_planes(const SweepShape& shape, const Region& region, const Stage& stage, std::int64_t element_bytes);

/// The tile of a source that is read as it lies: long lines, as many rows as stay in a cache from one row of the slowest axis to the next.
AxisNumbers shape_of_direct_tile(const SweepShape& shape, const Stage& stage, std::int64_t element_bytes);

/// Whether an offset leads to a plane behind or before, along the last axis that a plane does not have; or to none.
inline bool is_near(const std::int64_t* offset, std::size_t n_axes) {
  for (std::size_t a = 0; a + 3 < n_axes; ++a)
    if (offset[a] != 0) return false;
  return true;
}
/// Whether all near planes are copied where any is: planes a power of two apart, and more of them than a cache has ways, drive each other
/// out of it.
bool copies_near_planes(const Stage& stage, std::size_t n_axes);

}  // namespace crinkle
