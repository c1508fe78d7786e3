// What is refused of points, spheres and the buffers for their results, before anything is written: the same on every device. Only
// check_radii() reads what is in a buffer.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/pairs.hpp"

namespace crinkle {

void check_distances(const Points& points, PairForm form, ConstBuffer out);
void check_spheres(const Spheres& spheres);
/// Throws bad_shape that names the first of n radii which is negative, infinite or NaN. Requires host memory.
void check_radii(ConstBuffer radii, std::int64_t n, Real type);
void check_triplets(const Points& points);
/// Throws bad_shape where a list has room for fewer pairs than there are.
void check_room(std::int64_t n_room, std::int64_t n_found);

}  // namespace crinkle
