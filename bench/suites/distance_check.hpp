// Distances of all pairs as a suite asks for them, and whether they are right.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "crinkle/pairs.hpp"

namespace crinkle::bench {

struct DistanceCall {
  Metric metric = Metric::euclidean;
  PairForm form = PairForm::condensed;
  Real type = Real::float32;
  std::int64_t n = 0, n_features = 4;
  std::int64_t bytes() const { return distance_bytes(n, form, type); }
  std::int64_t points_bytes() const { return n * n_features * bytes_of(type); }
};

/// Throws std::runtime_error unless the values that read(places) gives are the distances of sampled pairs of
/// points, [n][n_features], up to rounding.
void check_distances(const std::string& what, const std::vector<float>& points, const DistanceCall& call,
                     const std::function<std::vector<double>(const std::vector<std::int64_t>& places)>& read);

}  // namespace crinkle::bench
