// The outputs of crinkle pairs, held against the definition.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "crinkle/pairs.hpp"

namespace crinkle::tool {

/// Throws bad_file, naming the first pair whose distance is farther from the definition than distances() promises. `path` is for the text.
void verify_distances(const Points& points, Metric metric, PairForm form, ConstBuffer out, const std::string& path, Executor& executor);

/// Throws bad_file where the list is another one than the definition's.
void verify_collisions(const Spheres& spheres, std::span<const Collision> pairs, const std::string& path);

}  // namespace crinkle::tool
