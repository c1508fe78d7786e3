// Samples that lie on one place. Neighbours are often fewer than those, and it must not matter which of them come first.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

class SharedPlaces {
 public:
  static constexpr std::int64_t alone = -1, dropped = -1;

  /// If at most `most` neighbours count, more samples of one place are of no use: the first so many are kept, 0: all.
  SharedPlaces(const SamplePlanes& samples, Executor& executor, std::int64_t most = 0);

  /// How many samples are not alone.
  std::int64_t n_members() const { return std::ssize(members_); }
  /// The number of the place that a sample shares with others.
  std::int64_t place_of(std::int64_t sample) const { return place_of_.empty() ? alone : place_of_[index(sample)]; }
  /// A sample's number among those that are kept, or dropped; and back.
  std::int64_t kept_number(std::int64_t sample) const;
  std::int64_t sample_of(std::int64_t kept_number) const { return kept_.empty() ? kept_number : kept_[index(kept_number)]; }
  /// The kept samples, of which each stands for all on its place: with the mean of their values, weighted by their weights, and the mean
  /// weight.
  SamplePlanes merged(SamplePlanes samples) const;
  /// Samples of which each stands for the others on its place, if there are any. Cost: O(n).
  SamplePlanes others(SamplePlanes samples) const;

 private:
  std::span<const std::int64_t> members(std::int64_t place) const {
    return std::span(members_).subspan(index(first_[index(place)]), index(first_[index(place + 1)] - first_[index(place)]));
  }
  std::int64_t n_places() const { return std::max<std::int64_t>(0, std::ssize(first_) - 1); }

  std::vector<std::int64_t> members_, first_;  // place p is shared by members_[first_[p]] … members_[first_[p + 1] − 1], in their order
  std::vector<std::int64_t> place_of_;         // [n], or none where all are alone
  std::vector<std::int64_t> kept_;             // samples in their order, or none where all are
};

}  // namespace crinkle::interpolation
