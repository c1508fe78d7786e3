// Functions that compute on arrays: Fourier transforms, stencils, resampling, pairs and triplets of points, triangles, interpolation,
// records.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view.hpp"

namespace crinkle::python {

void bind_interpolation(nb::module_& module);
void bind_computed(nb::module_& module);
void bind_spheres(nb::module_& module);
void bind_records(nb::module_& module);
void bind_packed(nb::module_& module);
void bind_resampling(nb::module_& module);
void bind_ranks(nb::module_& module);
void bind_joins(nb::module_& module);
void bind_devices(nb::module_& module);

}  // namespace crinkle::python
