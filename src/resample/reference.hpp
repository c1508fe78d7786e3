// The definition of resampling. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "crinkle/resample.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// As resample.hpp says, element by element; never optimised. Requires what resample() checks, and no spline. Buffers begin at byte 0 of
/// the layouts.
void resample_reference(const Resampling& resampling, const std::byte* source, std::byte* destination);

/// The same of a checked resampling that is a part, or the sampling of a spline's coefficients: `form` has the extents of the whole source,
/// whose elements from `first` on are there, [slots].
void resample_reference(const Resampling& part, const Form& form, const std::int64_t* first, const std::byte* source,
                        std::byte* destination);

}  // namespace crinkle::resampling
