// Where work on pairs is done: on the device that was asked for, or on the one that is predicted to be the faster, its memory's ways
// included.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "crinkle/pairs.hpp"

namespace crinkle::tool {

/// Seconds of one core: what it writes and what it computes go on at the same time.
struct PairCost {
  double core_seconds = 0;  // of arithmetic
  std::int64_t read_bytes = 0, written_bytes = 0;
};
PairCost cost_of_distances(const Points& points, PairForm form);
PairCost cost_of_collisions(const Points& points);
PairCost cost_of_triplets(const Points& points);

/// "auto", "cpu", "cuda[:N]". Throws what parse_device() throws.
Device choose_device(const std::string& asked, const PairCost& cost, Executor& executor);

/// The same as the calls of pairs.hpp, on either device, all buffers on the host.
void distances_on(Device device, const Points& points, Metric metric, PairForm form, Buffer out, Executor& executor);
std::int64_t count_on(Device device, const Spheres& spheres, Executor& executor);
void find_on(Device device, const Spheres& spheres, std::span<Collision> pairs, Executor& executor);
double triplets_on(Device device, const Points& points, Executor& executor);

}  // namespace crinkle::tool
