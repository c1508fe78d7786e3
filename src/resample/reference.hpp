// The definition of resampling. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "crinkle/resample.hpp"

namespace crinkle::resampling {

/// As resample.hpp says, element by element; never optimised. Requires what resample() checks, and no spline. Buffers begin at byte 0 of
/// the layouts.
void resample_reference(const Resampling& resampling, const std::byte* source, std::byte* destination);

}  // namespace crinkle::resampling
