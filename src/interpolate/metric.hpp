// How far a sample is from a target, and in which sector it lies. Neighbours are chosen by these float64 numbers, by brute force and by the
// tree alike, so both choose the same. Coordinates are the samples' own, or those in which an ellipse is a circle.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// Turns the long axis of the ellipse to x around the first sample, and stretches what lies across it. Nothing changes where there is no
/// anisotropy.
class Frame {
 public:
  Frame(const Anisotropy& a, const SamplePlanes& samples)
      : is_plain_(a.ratio == 1),
        origin_{samples.places[0][0], samples.places[1][0]},
        cosine_(std::cos(a.angle * (std::numbers::pi / 180))),
        sine_(std::sin(a.angle * (std::numbers::pi / 180))),
        ratio_(a.ratio) {}

  std::array<double, 3> of(const std::array<double, 3>& x) const {
    if (is_plain_) return x;
    const double dx = x[0] - origin_[0], dy = x[1] - origin_[1];
    return {cosine_ * dx + sine_ * dy, ratio_ * (cosine_ * dy - sine_ * dx), x[2]};
  }

 private:
  bool is_plain_;
  double origin_[2];
  double cosine_, sine_, ratio_;
};

template <int n_dimensions>
double square_of(const double (&away)[3]) {
  double sum = away[0] * away[0] + away[1] * away[1];
  if constexpr (n_dimensions == 3) sum += away[2] * away[2];
  return sum;
}

/// `away` is sample − target. Quadrants by the signs of x and y, 0 counting as positive; in two dimensions octants by which is longer, too.
template <int n_dimensions>
int sector_of(const double (&away)[3], int n_sectors) {
  if (n_sectors == 1) return 0;
  const int quadrant = (away[0] < 0 ? 1 : 0) + (away[1] < 0 ? 2 : 0);
  if (n_sectors == 4) return quadrant;
  if constexpr (n_dimensions == 3) return quadrant + (away[2] < 0 ? 4 : 0);
  return quadrant + (std::abs(away[1]) > std::abs(away[0]) ? 4 : 0);
}

}  // namespace crinkle::interpolation
