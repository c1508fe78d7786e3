// Two stages, the first one down the rows and the second one along the line, that a CPU makes a few rows after each other
// (cpu/fused_rows.hpp). SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "stencil/plan.hpp"

namespace crinkle {

/// Whether the points of `down` follow each other down the rows, and those of `across` lie along the line.
bool are_fused(const SweepShape& shape, const Stage& down, const Stage& across);
AxisNumbers shape_of_fused_tile(const SweepShape& shape, const Stage& down, const Stage& across, std::int64_t element_bytes);

}  // namespace crinkle
