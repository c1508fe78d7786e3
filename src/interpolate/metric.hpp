// How far a sample is from a target. Neighbours are chosen by these float64 numbers, by brute force and by the tree alike, so both choose
// the same.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace crinkle::interpolation {

template <int n_dimensions>
double square_of(const double (&away)[3]) {
  double sum = away[0] * away[0] + away[1] * away[1];
  if constexpr (n_dimensions == 3) sum += away[2] * away[2];
  return sum;
}

}  // namespace crinkle::interpolation
