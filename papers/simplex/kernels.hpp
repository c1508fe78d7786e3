// What the suite `simplex` runs on a GPU: every function gives its work to the stream.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "crinkle/pairs.hpp"
#include "papers/simplex/work.hpp"

struct CUstream_st;

namespace crinkle::bench {

/// A test by every map, or in three dimensions by every map of the tetrahedron; and on a full rectangle or box.
/// Requires arrays of the device that hold what numbers_needed() says, and for distances an `out` of elements_needed().
std::vector<MapWay> ways_on_gpu(Work work, Maps maps, const WorkData& data, CUstream_st* stream);
Ceiling dense_on_gpu(Work work, const WorkData& data, CUstream_st* stream);

/// Tests of triplets, as these.
std::vector<MapWay> triplet_ways_on_gpu(Work work, const WorkData& data, CUstream_st* stream);
Ceiling dense_triplets_on_gpu(Work work, const WorkData& data, CUstream_st* stream);

/// The kernels of the library's calls on a full rectangle, or box, of as many pairs or triplets as n points have.
/// Requires spheres, points, that hold what numbers_needed() says for this side; n_dense_sums() sums.
inline constexpr std::int64_t collision_side = 512, energy_side = 64;
Ceiling dense_collisions_on_gpu(const Spheres& spheres, std::int64_t n, std::uint64_t* total, CUstream_st* stream);
Ceiling dense_energy_on_gpu(const float* points, std::int64_t n, double* sums, CUstream_st* stream);
std::int64_t n_dense_sums(std::int64_t n);

/// totals[0] += words that are unwritten_word, totals[1] += weighed_word() of all.
void weigh_on_gpu(const void* words, std::int64_t n_words, std::uint64_t* totals, CUstream_st* stream);
/// values[s] = the element at places[s], of element_bytes 4 or 8.
void gather_on_gpu(const void* from, const std::int64_t* places, std::int64_t n_places, std::int64_t element_bytes, void* values,
                   CUstream_st* stream);

}  // namespace crinkle::bench
