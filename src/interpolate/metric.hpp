// How far a sample is from a target, and in which sector it lies. Neighbours are chosen by these float64 numbers, by brute force and by the
// tree alike, so both choose the same.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace crinkle::interpolation {

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
