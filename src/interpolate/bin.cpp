// Samples binned: sorted by cell, a counting sort that keeps their order, then every cell by itself.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/checked.hpp"
#include "cuda/device_buffers.hpp"
#include "interpolate/cuda/bin.hpp"

namespace crinkle {

using namespace interpolation;

namespace {

/// What is binned where, checked.
struct Binning {
  SamplePlanes samples;
  BinRaster raster;

  Binning(const Samples& given, const Raster& to, std::span<const Statistic> statistics, std::span<double> out)
      : samples(planes_of({given.places, given.values, {}, given.n_dimensions, given.n_columns})) {
    const std::int64_t n_columns = samples.n_columns(), n_cells = Targets(to, samples.n_dimensions).n();  // checks the raster
    raster = {.n_dimensions = samples.n_dimensions, .n_cells = n_cells};
    for (std::size_t a = 0; a < index(samples.n_dimensions); ++a) {
      if (!(std::abs(to.step[a]) > 0)) throw Error(ErrorCode::bad_shape, fmt::format("a raster of step {} along {}", to.step[a], "xyz"[a]));
      raster.first[a] = to.first[a];
      raster.step[a] = to.step[a];
      raster.extents[a] = to.extents[a];
    }
    const std::int64_t n_numbers = multiply(multiply(std::ssize(statistics), n_columns), n_cells);
    if (std::ssize(out) != n_numbers) {
      throw Error(ErrorCode::bad_shape, fmt::format("{} statistics of {} columns in {} cells are {} numbers; the buffer is for {}",
                                                    statistics.size(), n_columns, n_cells, n_numbers, out.size()));
    }
  }
};

struct Cell {
  std::span<const std::int64_t> samples;

  double of(Statistic statistic, const std::vector<double>& values, double nodata) const {
    const std::int64_t n = std::ssize(samples);
    CellSums sums;
    if (n == 0 || statistic == Statistic::count) return statistic_of(statistic, n, sums, 0, nodata);
    each_part([&](std::span<const std::int64_t> some) {
      CellSums part;
      for (const std::int64_t i : some) part.add(values[index(i)]);
      sums.add(part);
    });
    double squares = 0;
    if (statistic == Statistic::deviation) {
      const double mean = sums.mean(n);
      each_part([&](std::span<const std::int64_t> some) {
        double part = 0;
        for (const std::int64_t i : some) part += (values[index(i)] - mean) * (values[index(i)] - mean);
        squares += part;
      });
    }
    return statistic_of(statistic, n, sums, squares, nodata);
  }

 private:
  template <class Use>
  void each_part(const Use& use) const {
    constexpr std::size_t most = part_samples;
    for (std::size_t begin = 0; begin < samples.size(); begin += most) use(samples.subspan(begin, std::min(most, samples.size() - begin)));
  }
};

}  // namespace

std::int64_t bin(const Samples& given, const Raster& cells, std::span<const Statistic> statistics, std::span<double> out, double nodata,
                 Executor& executor) {
  const auto [samples, raster] = Binning(given, cells, statistics, out);
  const std::int64_t n_cells = raster.n_cells, n_columns = samples.n_columns();
  if (n_cells == 0) return 0;
  std::vector<std::int64_t> cell_of(index(samples.n)), begin(index(n_cells) + 1), sorted;
  for (std::int64_t i = 0; i < samples.n; ++i) {
    double x[3] = {};
    for (std::size_t a = 0; a < index(samples.n_dimensions); ++a) x[a] = samples.places[a][index(i)];
    const std::int64_t cell = cell_of[index(i)] = raster.cell_of(x);
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

std::int64_t bin(const Samples& given, const Raster& cells, std::span<const Statistic> statistics, std::span<double> out, double nodata,
                 Device device) {
  const Device there = {Device::Kind::cuda, gpu::cuda_index(device, "binning")};
  const auto [samples, raster] = Binning(given, cells, statistics, out);
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  if (samples.n > most)
    throw Error(ErrorCode::too_large, fmt::format("{} samples; a GPU bins at most {}: bin them on the CPU", samples.n, most));
  if (raster.n_cells == 0) return 0;
  return gpu::entry<&bin_on_gpu>(samples, raster, statistics, out, nodata, there);
}

}  // namespace crinkle
