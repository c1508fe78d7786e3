// The definition of a sweep.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "crinkle/sweeper.hpp"

namespace crinkle {

/// The sweep as sweeper.hpp says, cell by cell; never optimised. Requires what Sweeper checks. The buffers begin at byte 0 of the layouts.
void sweep_reference(const Sweep& sweep, const std::byte* source, std::byte* destination);

}  // namespace crinkle
