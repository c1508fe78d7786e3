// Work on pairs and triplets in plain loops: the definition that everything else is compared with.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/pairs.hpp"

namespace crinkle {

/// The distance of two points of n_features numbers each.
template <class T>
T reference_distance(const T* x, const T* y, std::int64_t n_features, Metric metric);

/// The same of point i of one set and point j of another, both at any address, to the place `to`.
void reference_distance(ConstBuffer rows, std::int64_t i, ConstBuffer columns, std::int64_t j, std::int64_t n_features, Real type,
                        Metric metric, std::byte* to);

/// As distances(). Requires what that checks, and points and a destination that begin at multiples of their type.
void reference_distances(const Points& points, Metric metric, PairForm form, Buffer out);

/// The pairs that find_collisions() finds. Requires what that checks, and centres and radii that begin at multiples of their type.
std::vector<Collision> reference_collisions(const Spheres& spheres);

/// As triplet_energy(), triplet after triplet. Requires what that checks, and points that begin at a multiple of their type.
double reference_triplet_energy(const Points& points);

}  // namespace crinkle
