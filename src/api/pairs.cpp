// Distances, collisions and triplets on a CPU: what is checked, and who does it. A device's are in cuda_pairs.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/pairs.hpp"

#include "simplex/pairs_check.hpp"
#include "simplex/pairs_cpu.hpp"

namespace crinkle {

void distances(const Points& points, Metric metric, PairForm form, Buffer out, Executor& executor) {
  check_distances(points, form, out);
  run_distances(points, metric, form, static_cast<std::byte*>(out.data), executor);
}

std::int64_t count_collisions(const Spheres& spheres, Executor& executor) {
  check_spheres(spheres);
  check_radii(spheres.radii, spheres.centres.n, spheres.centres.type);
  return run_count(spheres, executor);
}

std::int64_t find_collisions(const Spheres& spheres, std::span<Collision> pairs, Executor& executor) {
  check_spheres(spheres);
  check_radii(spheres.radii, spheres.centres.n, spheres.centres.type);
  return run_find(spheres, pairs, executor);
}

double triplet_energy(const Points& points, Executor& executor) {
  check_triplets(points);
  return run_triplets(points, executor);
}

}  // namespace crinkle
