// A step with axes given by tables: its schedules, once for every combination of the tables' entries.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cpu/move.hpp"
#include "move/cpu/parts.hpp"

namespace crinkle {

/// Part p of n of a gathered step; parts write disjoint bytes. `run` names the buffers; its schedule is not used.
void run_gathered(const CpuStep& step, const Run& run, std::int64_t part, std::int64_t n_parts);

}  // namespace crinkle
