// Which cell of a raster a sample lies in, and what a cell's samples come to: the same bits on a CPU and on a GPU. Sums are of parts of a
// cell, each in the order of the samples, and then of these parts in order, so that a cell of many samples has parts to be summed at once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "crinkle/detail/hd.hpp"
#include "crinkle/interpolate.hpp"

namespace crinkle::interpolation {

/// How far a number of cells from one place to another may be from a whole one by roundings: of the places, which were decimal numbers, of
/// the cell and of the quotient.
CRINKLE_HD inline double rounding_of_cells(double from, double to, double cell) {
  constexpr double epsilon = 0x1p-52, most = 0.25;
  const double size = fabs(cell), rounding = 2 * epsilon * (fabs(from) + fabs(to)) / size + 1e-12 * fabs(to - from) / size;
  return rounding < most ? rounding : most;
}

struct BinRaster {
  int n_dimensions = 2;
  double first[3] = {}, step[3] = {1, 1, 1};
  std::int64_t extents[3] = {1, 1, 1}, n_cells = 0;

  /// The number of the cell that a sample at x, y and z lies in, or −1.
  CRINKLE_HD std::int64_t cell_of(const double (&x)[3]) const {
    std::int64_t cell = 0, pitch = 1;
    for (int a = 0; a < n_dimensions; ++a) {
      const std::int64_t along = cell_along(x[a], first[a], step[a], extents[a]);
      if (along < 0) return -1;
      cell += along * pitch;
      pitch *= extents[a];
    }
    return cell;
  }

 private:
  // What lies on an outer edge but for a rounding lies on it.
  CRINKLE_HD static std::int64_t cell_along(double x, double first, double step, std::int64_t extent) {
    const double place = (x - first) / step + 0.5, end = static_cast<double>(extent), rounding = rounding_of_cells(first, x, step);
    if (!(place >= -rounding && place <= end + rounding)) return -1;
    const auto along = static_cast<std::int64_t>(place);
    return along < 0 ? 0 : along < extent ? along : extent - 1;
  }
};

inline constexpr std::int64_t part_samples = 1024;  // of a part of a cell

/// Of the values of a part, and then of parts.
struct CellSums {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0, least = infinity, most = -infinity;

  CRINKLE_HD void add(double z) { add({z, z, z}); }
  CRINKLE_HD void add(const CellSums& part) {
    sum += part.sum;
    if (part.least < least) least = part.least;
    if (most < part.most) most = part.most;
  }
  CRINKLE_HD double mean(std::int64_t n) const { return least == most ? least : sum / static_cast<double>(n); }
};

/// Of n samples; `squares` is Σ (z − mean)².
CRINKLE_HD inline double statistic_of(Statistic statistic, std::int64_t n, const CellSums& sums, double squares, double nodata) {
  if (statistic == Statistic::count) return static_cast<double>(n);
  if (n == 0) return nodata;
  switch (statistic) {
    case Statistic::sum: return sums.sum;
    case Statistic::mean: return sums.mean(n);
    case Statistic::min: return sums.least;
    case Statistic::max: return sums.most;
    default: return sqrt(squares / static_cast<double>(n));
  }
}

}  // namespace crinkle::interpolation
