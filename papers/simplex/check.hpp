// Whether results of the suite `simplex` are right, before they are timed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "papers/simplex/simplex.hpp"

namespace crinkle::bench {

/// Every way of a test once. Throws std::runtime_error, naming the way, unless it did what the definition says, where n is small, and what
/// the first way did. Of dummies the maps are checked, by a tally.
void check_ways(SimplexBackend& backend, Work work, Maps maps, std::int64_t n, const std::vector<MapWay>& ways);
/// How: "definition" or "bounding box".
std::string checked_by(Work work, std::int64_t n);

/// Pairs i ≥ j at the edges of the triangle, and thousands in it.
std::vector<std::pair<std::int64_t, std::int64_t>> sampled_pairs(std::int64_t n, Diagonal diagonal);

/// Throws std::runtime_error unless the values that read(places) gives are the distances of sampled pairs of
/// points, [n][n_features], up to rounding.
void check_distances(const std::string& what, const std::vector<float>& points, const DistanceCall& call,
                     const std::function<std::vector<double>(const std::vector<std::int64_t>& places)>& read);
void check_count(const std::string& what, std::uint64_t count, std::uint64_t expected);
void check_energy(const std::string& what, double energy, double expected, double error);

}  // namespace crinkle::bench
