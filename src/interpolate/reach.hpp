// Which samples a radius holds, and on which side of a place they lie, where coordinates were decimal numbers (base/decimals.hpp): on a
// lattice of 0.1 those 0.3 away are within 0.3, and those straight ahead lie in the same sector, wherever roundings put them. The same bits
// on a CPU and on a GPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "base/decimals.hpp"

namespace crinkle::interpolation {

/// The largest of the coordinates of two places.
template <int n_dimensions>
CRINKLE_HD constexpr double largest_of(const double* x, const double* q) {
  double largest = 0;
  for (int a = 0; a < n_dimensions; ++a)
    largest = decimals::larger(largest, decimals::larger(decimals::absolute(x[a]), decimals::absolute(q[a])));
  return largest;
}

struct Reach {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double radius = infinity;
  double scale = 1, size = 0;                 // of SamplePlanes; also the first cell of a raster
  double most = 0;                            // no sample has a greater coordinate
  double inner = infinity, outer = infinity;  // squares of distances: within there all count, and beyond there none

  /// How far roundings may bring a sample from where it lies beside a place. `largest`: of the coordinates of both.
  CRINKLE_HD constexpr double slack(double largest) const { return decimals::rounding_of(scale * decimals::larger(size, largest)); }
  /// Whether a sample at x counts for a place q; `square`: of the distance.
  template <int n_dimensions>
  CRINKLE_HD constexpr bool has(double square, const double* x, const double* q) const {
    if (square <= inner || !(square <= outer)) return square <= inner;
    const double far = radius + slack(largest_of<n_dimensions>(x, q));
    return square <= far * far;
  }
  /// The same for places that were computed from numbers up to `first`, too.
  constexpr Reach from(double first) const {
    Reach reach = *this;
    reach.size = decimals::larger(size, first);
    reach.inner = radius * radius;
    const double far = radius + 2 * reach.slack(most + radius);  // a sample is no further away than this is
    reach.outer = far * far;
    return reach;
  }
};

/// `away` is sample − target. Quadrants by the signs of x and y, 0 counting as positive; in two dimensions octants by which is longer, too.
template <int n_dimensions>
CRINKLE_HD constexpr int sector_of(const double* away, int n_sectors, double slack) {
  if (n_sectors == 1) return 0;
  const int quadrant = (away[0] < -slack ? 1 : 0) + (away[1] < -slack ? 2 : 0);
  if (n_sectors == 4) return quadrant;
  if constexpr (n_dimensions == 3) return quadrant + (away[2] < -slack ? 4 : 0);
  else return quadrant + (decimals::absolute(away[1]) > decimals::absolute(away[0]) + slack ? 4 : 0);
}

/// Whether samples that are from `low` to `high` away along each axis may lie in a sector.
template <int n_dimensions>
CRINKLE_HD constexpr bool meets_sector(const double* low, const double* high, int sector, int n_sectors, double slack) {
  bool is_met = true;
  double nearest[3] = {}, farthest[3] = {};  // |sample − target| within the sector
  for (int a = 0; a < n_dimensions; ++a) {
    const bool is_negative = (sector >> a & 1) != 0 && (a < 2 || n_sectors == 8);
    is_met = is_met && (is_negative ? low[a] < 0 : high[a] >= -slack);
    nearest[a] = decimals::larger(0, is_negative ? -high[a] : low[a]);
    farthest[a] = is_negative ? -low[a] : decimals::larger(high[a], slack);
  }
  if (n_dimensions == 2 && n_sectors == 8) is_met = is_met && (sector < 4 ? farthest[0] + slack >= nearest[1] : farthest[1] >= nearest[0]);
  return is_met;
}

}  // namespace crinkle::interpolation
