// How fast a move is predicted to be: the rate at which its bytes are read and written, as a fraction of the rate of a plain copy of as
// many bytes on the same machine. docs/measurements.md says how near these numbers come to measured ones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan/accesses.hpp"
#include "plan/machine.hpp"
#include "plan/pass.hpp"
#include "plan/schedule.hpp"

namespace crinkle::planning {

/// The fraction for a schedule on a CPU, by its regime and how many bytes its elements have.
double fraction_of_copy(const Schedule& schedule);

/// The fraction for a pass on a GPU, from what its tiles ask (plan/accesses.hpp), for buffers that lie at multiples of 16 bytes.
double fraction_of_copy(const Pass& pass, const Machine& machine);

/// The fraction for entries of so many bytes that an index array picks: measured on CPUs, taken for GPUs, too.
double fraction_of_picked(std::int64_t entry_bytes);

}  // namespace crinkle::planning
