// Refuses wrong points, spheres and lists, on every device alike. Only check_radii() reads what is in a buffer.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "crinkle/pairs.hpp"

namespace crinkle {

const char* name_of_type(Real type) noexcept;
ElementType element_type(Real type) noexcept;
/// Throws bad_shape, and too_large for points of whose pairs 64 bits do not count the number.
void check_points(std::int64_t n, std::int64_t n_features, Real type);
/// [n][n_features] numbers; a buffer may be given as whole points. Requires checked points.
Port points_port(const char* name, std::int64_t n, std::int64_t n_features, Real type);
/// Throws bad_shape that names the first of n radii which is negative, infinite or NaN. Requires host memory.
void check_radii(ConstBuffer radii, std::int64_t n, Real type);
/// Throws bad_shape where a list has room for fewer pairs than there are.
void check_room(std::int64_t n_room, std::int64_t n_found);

}  // namespace crinkle
