// A step with axes given by tables: its sweeps, once for every combination of the tables' entries.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "move/cpu.hpp"
#include "move/cpu_parts.hpp"

namespace crinkle {

/// Of the first table the entries from `first` to before `last`, of the others all. `run` names the buffers; its sweep is not used.
void run_gathered(const CpuStep& step, const Run& run, std::int64_t first, std::int64_t last);

}  // namespace crinkle
