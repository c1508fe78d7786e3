// Samples binned: sorted by cell, a counting sort that keeps their order, then every cell by itself.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.hpp"
#include "interpolate/planes.hpp"

namespace crinkle {

using namespace interpolation;

namespace {

/// The cell along an axis, or −1. What lies on an outer edge but for a rounding lies on it.
std::int64_t cell_along(double x, double first, double step, std::int64_t extent) {
  const double place = (x - first) / step + 0.5, end = static_cast<double>(extent), rounding = rounding_of_cells(first, x, step);
  if (!(place >= -rounding && place <= end + rounding)) return -1;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0, extent - 1);
}

struct Cell {
  std::span<const std::int64_t> samples;

  double of(Statistic statistic, const std::vector<double>& values, double nodata) const {
    const auto n = static_cast<double>(samples.size());
    if (statistic == Statistic::count) return n;
    if (samples.empty()) return nodata;
    double sum = 0, least = std::numeric_limits<double>::infinity(), most = -least;
    for (const std::int64_t i : samples) {
      sum += values[index(i)];
      least = std::min(least, values[index(i)]);
      most = std::max(most, values[index(i)]);
    }
    const double mean = least == most ? least : sum / n;
    double squares = 0;
    switch (statistic) {
      case Statistic::sum: return sum;
      case Statistic::mean: return mean;
      case Statistic::min: return least;
      case Statistic::max: return most;
      default:
        for (const std::int64_t i : samples) squares += (values[index(i)] - mean) * (values[index(i)] - mean);
        return std::sqrt(squares / n);
    }
  }
};

}  // namespace

std::int64_t bin(const Samples& given, const Raster& raster, std::span<const Statistic> statistics, std::span<double> out, double nodata,
                 Executor& executor) {
  const SamplePlanes samples = planes_of({given.places, given.values, {}, given.n_dimensions, given.n_columns});
  const Targets cells(raster, samples.n_dimensions);  // checks the raster
  const std::int64_t n_cells = cells.n(), n_columns = samples.n_columns();
  for (std::size_t a = 0; a < index(samples.n_dimensions); ++a)
    if (!(std::abs(raster.step[a]) > 0))
      throw Error(ErrorCode::bad_shape, fmt::format("a raster of step {} along {}", raster.step[a], "xyz"[a]));
  const std::int64_t n_numbers = multiply(multiply(std::ssize(statistics), n_columns), n_cells);
  if (std::ssize(out) != n_numbers) {
    throw Error(ErrorCode::bad_shape, fmt::format("{} statistics of {} columns in {} cells are {} numbers; the buffer is for {}",
                                                  statistics.size(), n_columns, n_cells, n_numbers, out.size()));
  }
  if (n_cells == 0) return 0;
  std::vector<std::int64_t> cell_of(index(samples.n)), begin(index(n_cells) + 1), sorted;
  for (std::int64_t i = 0; i < samples.n; ++i) {
    std::int64_t cell = 0, pitch = 1;
    for (std::size_t a = 0; a < index(samples.n_dimensions) && cell >= 0; ++a) {
      const std::int64_t along = cell_along(samples.places[a][index(i)], raster.first[a], raster.step[a], raster.extents[a]);
      cell = along < 0 ? -1 : cell + along * pitch;
      pitch *= raster.extents[a];
    }
    cell_of[index(i)] = cell;
    if (cell >= 0) ++begin[index(cell) + 1];
  }
  for (std::size_t c = 0; c < index(n_cells); ++c) begin[c + 1] += begin[c];
  sorted.resize(index(begin.back()));
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  for (std::int64_t i = 0; i < samples.n; ++i)
    if (cell_of[index(i)] >= 0) sorted[index(next[index(cell_of[index(i)])]++)] = i;
  constexpr std::int64_t part = 4096;  // cells
  executor.parallel_for(ceil_divide(n_cells, part), [&](std::int64_t k) {
    for (std::int64_t cell = k * part; cell < std::min(n_cells, (k + 1) * part); ++cell) {
      const Cell here{
          std::span<const std::int64_t>(sorted).subspan(index(begin[index(cell)]), index(begin[index(cell) + 1] - begin[index(cell)]))};
      double* to = out.data() + cell;
      for (const Statistic statistic : statistics) {
        for (std::int64_t c = 0; c < n_columns; ++c, to += n_cells) *to = here.of(statistic, samples.values[index(c)], nodata);
      }
    }
  });
  return std::ssize(sorted);
}

}  // namespace crinkle
