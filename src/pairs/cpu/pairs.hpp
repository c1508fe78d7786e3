// Work on pairs and triplets on a CPU. Results do not depend on the number of threads, nor on the instruction set, but for the payloads of
// NaNs. Everything is checked beforehand (pairs_check.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "crinkle/pairs.hpp"
#include "pairs/cpu/pair_kernels.hpp"

namespace crinkle {

/// From where on work goes to several threads, and distances go past the caches. Tests lower both.
struct PairLimits {
  std::int64_t parted_steps = 1 << 18;    // differences of features: about 20 µs of one core
  std::int64_t streamed_bytes = 2 << 20;  // of distances
};

/// As distances(). Requires what check_distances() checks.
void run_distances(const Points& points, Metric metric, PairForm form, std::byte* out, Executor& executor,
                   const simd::PairKernels& kernels = simd::PairKernels::best(), const PairLimits& limits = {});

/// As count_collisions() and find_collisions(). Requires what check_spheres() checks.
std::int64_t run_count(const Spheres& spheres, Executor& executor, const simd::PairKernels& kernels = simd::PairKernels::best(),
                       const PairLimits& limits = {});
std::int64_t run_find(const Spheres& spheres, std::span<Collision> pairs, Executor& executor,
                      const simd::PairKernels& kernels = simd::PairKernels::best(), const PairLimits& limits = {});

/// As triplet_energy(). Requires what check_triplets() checks.
double run_triplets(const Points& points, Executor& executor, const simd::PairKernels& kernels = simd::PairKernels::best(),
                    const PairLimits& limits = {});

}  // namespace crinkle
