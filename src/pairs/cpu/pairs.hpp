// Work on pairs and triplets on a CPU. Results do not depend on the number of threads, nor on the instruction set, but for the payloads of
// NaNs. Everything is checked beforehand (pairs/check.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "crinkle/pairs.hpp"
#include "pairs/cpu/pair_kernels.hpp"
#include "pairs/lines.hpp"

namespace crinkle {

/// From where on work goes to several threads, and distances go past the caches. Tests lower both.
struct PairLimits {
  std::int64_t parted_steps = 1 << 18;    // differences of features: about 20 µs of one core
  std::int64_t streamed_bytes = 2 << 20;  // of distances
};

/// Bytes of a workspace for the distances of so many points, transposed: of both sets, if there are two.
std::int64_t plane_bytes(std::int64_t n, std::int64_t n_features, Real type, Metric metric);

/// Some lines of a form, from the first one's first element on; all lines of rfp and square. A workspace has plane_bytes() bytes at a
/// multiple of 64; without one it is allocated.
void run_distances(const Points& points, Metric metric, PairForm form, const PairLines& lines, std::byte* out, Executor& executor,
                   const simd::PairKernels& kernels = simd::PairKernels::best(), const PairLimits& limits = {},
                   std::byte* workspace = nullptr);
/// As distances(): all of them.
void run_distances(const Points& points, Metric metric, PairForm form, std::byte* out, Executor& executor,
                   const simd::PairKernels& kernels = simd::PairKernels::best(), const PairLimits& limits = {});
/// out[i · pitch + j · element] = the distance of row i and column j, both of the same type and number of features; pitch in bytes.
void run_cross(const Points& rows, const Points& columns, Metric metric, std::byte* out, std::int64_t pitch, Executor& executor,
               const simd::PairKernels& kernels = simd::PairKernels::best(), const PairLimits& limits = {}, std::byte* workspace = nullptr);

/// Bytes of a workspace for collisions.
std::int64_t collision_bytes(std::int64_t n, int n_dimensions, Real type);
/// As count_collisions() and find_collisions(). Requires checked spheres. A workspace begins at a multiple of 64; without one it is
/// allocated.
std::int64_t run_count(const Spheres& spheres, Executor& executor, const simd::PairKernels& kernels = simd::PairKernels::best(),
                       const PairLimits& limits = {});
std::int64_t run_find(const Spheres& spheres, std::span<Collision> pairs, Executor& executor,
                      const simd::PairKernels& kernels = simd::PairKernels::best(), const PairLimits& limits = {},
                      std::byte* workspace = nullptr);

/// Bytes of a workspace for triplets.
std::int64_t triplet_bytes(std::int64_t n);
/// As triplet_energy(). A workspace likewise.
double run_triplets(const Points& points, Executor& executor, const simd::PairKernels& kernels = simd::PairKernels::best(),
                    const PairLimits& limits = {}, std::byte* workspace = nullptr);

}  // namespace crinkle
