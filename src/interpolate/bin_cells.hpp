// Which cell of a raster a sample lies in, and what a cell's samples come to: the same bits on a CPU and on a GPU. Sums are of parts of a
// cell, each in the order of the samples, and then of these parts in order, so that a cell of many samples has parts to be summed at once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/decimals.hpp"
#include "crinkle/detail/hd.hpp"
#include "crinkle/interpolate.hpp"

namespace crinkle::interpolation {

/// How many edges of cells lie before x along an axis, that of the first cell at 0, in cells.
CRINKLE_HD inline double edges_before(double x, double first, double step) { return decimals::steps_between(first, x, step, 0.5); }

/// Cells begin … begin + extents − 1 of a whole raster.
struct BinRaster {
  int n_dimensions = 2;
  double first[3] = {}, step[3] = {1, 1, 1};
  std::int64_t whole[3] = {1, 1, 1}, begin[3] = {}, extents[3] = {1, 1, 1}, n_cells = 0;

  /// The number, among these cells, of the one that a sample at x, y and z lies in, or −1.
  CRINKLE_HD std::int64_t cell_of(const double (&x)[3]) const {
    std::int64_t cell = 0, pitch = 1;
    for (int a = 0; a < n_dimensions; ++a) {
      const std::int64_t along = cell_along(x[a], first[a], step[a], whole[a]) - begin[a];
      if (along < 0 || along >= extents[a]) return -1;
      cell += along * pitch;
      pitch *= extents[a];
    }
    return cell;
  }

 private:
  CRINKLE_HD static std::int64_t cell_along(double x, double first, double step, std::int64_t extent) {
    const double place = edges_before(x, first, step);
    if (!(place >= 0 && place <= static_cast<double>(extent))) return -1;
    const auto along = static_cast<std::int64_t>(place);
    return along < extent ? along : extent - 1;
  }
};

inline constexpr std::int64_t part_samples = 1024;  // of a part of a cell

/// Sums of the values of a part, and then of parts.
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

/// The statistic of n samples; `squares` is Σ (z − mean)².
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
