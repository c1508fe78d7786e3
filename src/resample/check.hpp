// Refuses wrong resamplings, and gives their form as plain numbers. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/fingerprint.hpp"
#include "crinkle/resample.hpp"
#include "resample/form.hpp"

namespace crinkle::resampling {

/// Axes counted from 0, both lists of them, and one pair of faces an axis. Throws what resample() throws of all but its buffers.
Resampling checked(Resampling resampling);

/// Of all that it says, coordinates included where these lie in memory of the host.
Fingerprint fingerprint_of(const Resampling& resampling, bool is_on_host);

/// Whether weights and sums are float32; otherwise they are float64.
bool is_float32(const Resampling& resampling);

/// Whether its kernel grows with the scale.
bool is_growing(const Resampling& resampling);

/// Throws what plan() throws on a CPU of kernels that grow. Requires the form of a checked resampling.
void check_growing(const Resampling& resampling, const Form& form);

/// The form of a checked resampling, its source being as the layout says.
Form form_of(const Resampling& resampling);

}  // namespace crinkle::resampling
