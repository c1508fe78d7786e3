// Samples that lie on one place. Neighbours are often fewer than those, and it must not matter which of them come first.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// What stands for each of the samples on one place: the mean of their values weighted by their weights, and the mean weight.
struct PlaceMean {
  std::vector<double> values;  // [n_columns]
  double weight = 1;
};

class SharedPlaces {
 public:
  static constexpr std::int64_t alone = -1;

  SharedPlaces(const SamplePlanes& samples, Executor& executor);

  /// How many samples are not alone.
  std::int64_t n_members() const { return std::ssize(members_); }
  /// The number of the place that a sample shares with others.
  std::int64_t place_of(std::int64_t sample) const { return place_of_.empty() ? alone : place_of_[index(sample)]; }
  /// The mean of the samples on a shared place without one of them.
  PlaceMean mean(const SamplePlanes& samples, std::int64_t place, std::int64_t left_out = -1) const;
  /// Samples of which each stands for all on its place.
  SamplePlanes merged(SamplePlanes samples) const;

 private:
  std::vector<std::int64_t> members_, first_;  // place p is shared by members_[first_[p]] … members_[first_[p + 1] − 1], in their order
  std::vector<std::int64_t> place_of_;         // [n], or none where all are alone
};

}  // namespace crinkle::interpolation
