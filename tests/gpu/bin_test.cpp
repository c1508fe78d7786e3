// Samples binned on a real GPU: to the bit what a CPU makes of them. Spreads, columns, edges, vacant cells, cells of very many samples.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "interpolate/support.hpp"
#include "notation/expect_error.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {
namespace {

class GpuBin : public OnGpu {};

constexpr Statistic every[] = {Statistic::count, Statistic::sum, Statistic::mean, Statistic::min, Statistic::max, Statistic::deviation};

void expect_same_bits(const Cloud& c, const Raster& raster, const std::string& what, double nodata = -9999,
                      std::span<const Statistic> statistics = every) {
  const std::size_t n = statistics.size() * static_cast<std::size_t>(c.n_columns * raster.n_cells()), guard = 8;
  std::vector<double> want(n), got(n + 2 * guard, -77);
  const std::int64_t n_inside = bin(c.samples(), raster, statistics, want, nodata);
  EXPECT_EQ(bin(c.samples(), raster, statistics, std::span(got).subspan(guard, n), nodata, cuda()), n_inside) << what;
  std::int64_t n_wrong = 0;
  for (std::size_t k = 0; k < n; ++k) n_wrong += std::memcmp(&want[k], &got[guard + k], sizeof(double)) != 0 ? 1 : 0;
  EXPECT_EQ(n_wrong, 0) << what << ", of " << n << " numbers";
  for (std::size_t i = 0; i < guard; ++i) {
    EXPECT_EQ(got[i], -77) << what << ", before the output";
    EXPECT_EQ(got[got.size() - 1 - i], -77) << what << ", behind the output";
  }
}

TEST_F(GpuBin, has_the_bits_of_the_cpu_for_every_spread_and_number_of_columns) {
  for (const int d : {2, 3})
    for (const Spread spread : spreads)
      for (const std::int64_t n_columns : {1, 3})
        for (const std::int64_t n : {1, 255, 20000}) {
          const std::string what = std::to_string(d) + "-D, spread " + std::to_string(static_cast<int>(spread)) + ", " +
                                   std::to_string(n_columns) + " columns, " + std::to_string(n) + " samples";
          const Cloud c = cloud(n, d, spread, n_columns);
          // Some samples lie outside, some cells are vacant, and rows go from north to south.
          expect_same_bits(c, {.first = {0.15, 0.95, 0.05}, .step = {0.1, -0.1, 0.1}, .extents = {7, 13, d == 3 ? 8 : 1}}, what);
          expect_same_bits(c, {.first = {0.125, 0.125, 0.125}, .step = {0.25, 0.25, 0.25}, .extents = {4, 4, d == 3 ? 4 : 1}}, what);
        }
}

TEST_F(GpuBin, of_edges_has_the_bits_of_the_cpu) {
  Cloud c{2, 1, {}, {}, {}};
  for (int y = -2; y <= 22; ++y)
    for (int x = -2; x <= 22; ++x) {
      c.places.insert(c.places.end(), {0.1 * x, 0.1 * y});
      c.values.push_back(x + 100 * y);
    }
  expect_same_bits(c, raster_over(0, 0, 2, 2, 0.1), "decimal edges");
  expect_same_bits(c, raster_over(0, 0, 2, 2, 0.2), "decimal edges of every other cell");
  expect_same_bits(c, raster_over(5, 5, 6, 6, 0.5), "nothing inside");
  for (double& x : c.places) x += 500000.3;
  expect_same_bits(c, raster_over(500000.3, 500000.3, 500002.3, 500002.3, 0.1), "decimal edges far away");
}

TEST_F(GpuBin, of_cells_of_any_size_has_the_bits_of_the_cpu) {
  Random random(5);
  for (const std::int64_t n : {1023, 1024, 1025, 2047, 2048, 2049, 100000}) {
    Cloud c = cloud(n, 2, Spread::uniform, 2);
    for (double& z : c.values) z += 1e6;
    expect_same_bits(c, {.first = {0.5, 0.5, 0}}, "one cell, " + std::to_string(n) + " samples");
    // Cells of very different numbers of samples, whose parts begin anywhere.
    for (std::int64_t i = 0; i < n; ++i) c.places[static_cast<std::size_t>(2 * i)] = std::pow(random(), 4);
    expect_same_bits(c, {.first = {0.005, 0.5, 0}, .step = {0.01, 1, 1}, .extents = {100, 1, 1}}, std::to_string(n) + " samples, uneven");
  }
  Cloud most = cloud(1 << 21, 2);
  for (std::size_t i = 0; i < most.places.size() * 9 / 10; ++i) most.places[i] = 0.501;
  expect_same_bits(most, raster_over(0, 0, 1, 1, 0.01), "nine of ten samples in a cell");
}

TEST_F(GpuBin, of_more_cells_than_samples_and_of_none) {
  expect_same_bits(cloud(1000, 2), raster_over(0, 0, 1, 1, 0.001), "a million cells");
  expect_same_bits(cloud(1000, 2), {.extents = {0, 7, 1}}, "no cell");
  expect_same_bits(cloud(1000, 2), raster_over(0, 0, 1, 1, 0.5), "no statistic", 0, {});
  expect_same_bits(cloud(10, 2), raster_over(0, 0, 1, 1, 0.1), "NaN", std::numeric_limits<double>::quiet_NaN());
  const Statistic some[] = {Statistic::deviation, Statistic::mean, Statistic::deviation};
  expect_same_bits(cloud(1000, 2), raster_over(0, 0, 1, 1, 0.1), "some statistics", 0, some);
}

TEST_F(GpuBin, refuses_what_the_cpu_does_and_the_cpu) {
  const Cloud c = cloud(10, 2);
  const Statistic count[] = {Statistic::count};
  std::vector<double> out(3, 5);
  error_of(ErrorCode::bad_shape, [&] { bin(c.samples(), {.extents = {2, 2, 1}}, count, out, 0, cuda()); });
  error_of(ErrorCode::bad_shape, [&] { bin(c.samples(), {.step = {0, 1, 1}, .extents = {3, 1, 1}}, count, out, 0, cuda()); });
  error_of(ErrorCode::device, [&] { bin(c.samples(), {.extents = {3, 1, 1}}, count, out, 0, cpu()); });
  EXPECT_EQ(out, std::vector<double>(3, 5));
}

}  // namespace
}  // namespace crinkle::testing
