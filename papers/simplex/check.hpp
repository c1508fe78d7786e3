// Whether results of the suite `simplex` are right, before they are timed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "papers/simplex/simplex.hpp"

namespace crinkle::bench {

/// Every way of a test once. Throws std::runtime_error, naming the way, unless it did what the definition says, where n is small, and what
/// the first way did. Of dummies the maps are checked, by a tally.
void check_ways(SimplexBackend& backend, Work work, Maps maps, std::int64_t n, const std::vector<MapWay>& ways);
/// How: "definition" or "bounding box".
std::string checked_by(Work work, std::int64_t n);

void check_count(const std::string& what, std::uint64_t count, std::uint64_t expected);
void check_energy(const std::string& what, double energy, double expected, double error);

}  // namespace crinkle::bench
