// Interpolation from neighbours on a real GPU is that of the CPU: to the bit for whole powers up to 4, which only products, quotients and
// roots are needed for. Numbers of neighbours around the kernels' sizes, ties, sectors, a radius, no data, ellipses, rasters.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "interpolated.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {
namespace {

class GpuNeighbours : public OnGpu {};

constexpr double nodata = -9999;

void expect_same(const Cloud& c, const std::vector<double>& places, Interpolation how, const std::string& what) {
  how.nodata = nodata;
  const std::string here = what + ", " + std::to_string(how.neighbours) + " neighbours, power " + std::to_string(how.power);
  const std::vector<double> want = interpolated<double>(c, places, how);
  const std::vector<double> got = gpu_values<double>(c, places, how);
  const bool has_same_bits = how.neighbours > 0 && how.power == static_cast<int>(how.power) && how.power <= 4;
  if (has_same_bits) {
    EXPECT_EQ(got, want) << here;
    EXPECT_EQ(gpu_values<float>(c, places, how), interpolated<float>(c, places, how)) << here;
  } else {
    EXPECT_LE(error_of(c, want, got), 1e-12) << here;
    EXPECT_LE(error_of(c, want, gpu_values<float>(c, places, how)), 1e-12) << here;
  }
}

TEST_F(GpuNeighbours, are_those_of_the_cpu_for_every_spread_number_and_power) {
  for (const int d : {2, 3})
    for (const Spread spread : spreads) {
      const Cloud c = cloud(1000, d, spread);
      const std::vector<double> places = targets_of(c, 150);
      const std::string what = std::to_string(d) + "-D, spread " + std::to_string(static_cast<int>(spread));
      for (const std::int64_t k : {1, 2, 7, 8, 9, 12, 16, 17, 32, 33, 64, 70, 1000}) expect_same(c, places, {.neighbours = k}, what);
      for (const double p : {1.0, 3.0, 4.0, 2.5, 40.0}) expect_same(c, places, {.power = p, .neighbours = 12}, what);
    }
}

TEST_F(GpuNeighbours, of_few_samples) {
  for (const std::int64_t n : {1, 2, 8, 9, 33}) {
    const Cloud c = cloud(n, 2);
    const std::vector<double> places = targets_of(c, 40);
    for (const std::int64_t k : {std::int64_t{1}, (n + 1) / 2, n})
      expect_same(c, places, {.neighbours = k}, std::to_string(n) + " samples");
  }
}

TEST_F(GpuNeighbours, in_sectors_within_a_radius_weighted_and_in_columns) {
  for (const int d : {2, 3})
    for (const Spread spread : {Spread::uniform, Spread::lattice, Spread::clustered})
      for (const std::int64_t n_columns : {1, 2, 5}) {
        Cloud c = cloud(512, d, spread, n_columns);
        const std::vector<double> places = targets_of(c, 100);
        for (const bool has_weights : {false, true}) {
          Random random(3);
          for (std::int64_t i = 0; i < c.n() && has_weights; ++i) c.weights.push_back(i % 11 == 4 ? 0 : 5 * random() + 1e-3);
          const std::string what = std::to_string(d) + "-D, " + std::to_string(n_columns) + " columns" + (has_weights ? ", weights" : "");
          for (const int sectors : {1, 4, 8}) {
            if (d == 3 && sectors == 4) continue;
            const std::string here = what + ", " + std::to_string(sectors) + " sectors";
            for (const std::int64_t k : {1, 3, 20, 40}) {
              expect_same(c, places, {.neighbours = k, .sectors = sectors}, here);
              expect_same(c, places, {.smoothing = 0.02, .neighbours = k, .radius = 0.25, .least_neighbours = 5, .sectors = sectors}, here);
            }
            expect_same(c, places, {.radius = 0.125, .sectors = sectors}, here + ", a radius");
            expect_same(c, places, {.power = 2.5, .smoothing = 0.1, .radius = 0.3, .least_neighbours = 7, .sectors = sectors}, here);
          }
        }
      }
}

TEST_F(GpuNeighbours, on_rasters_and_in_ellipses) {
  const Cloud flat = cloud(700, 2, Spread::uniform, 2), deep = cloud(512, 3, Spread::lattice);
  const auto compare = [](const Cloud& c, const Raster& raster, Interpolation how, const std::string& what) {
    how.nodata = nodata;
    const std::int64_t n = raster.n_cells() * c.n_columns;
    std::vector<double> want(static_cast<std::size_t>(n));
    interpolate(c.samples(), raster, how, std::span<double>(want));
    EXPECT_EQ(run_guarded<double>(Interpolator(c.samples(), how, cuda()), raster, n), want) << what;
  };
  compare(flat, raster_over(-0.1, 0, 1.1, 1, 0.03), {.neighbours = 12}, "a map");
  compare(flat, raster_over(0, 0, 1, 1, 0.03), {.power = 3, .neighbours = 5, .sectors = 8, .anisotropy = {3, 30}}, "an ellipse");
  compare(flat, raster_over(0, 0, 1, 1, 0.011), {.neighbours = 4, .radius = 0.02}, "a map with holes");
  compare(flat, {.first = {0, 0.5, 0}, .step = {0.01, 1, 1}, .extents = {101, 1, 1}}, {.neighbours = 7}, "one row");
  compare(flat, {.first = {0.5, 0, 0}, .step = {1, -0.1, 1}, .extents = {1, 77, 1}}, {.neighbours = 7}, "one column");
  compare(flat, {.first = {0.5, 0.5, 0}, .step = {1, 1, 1}, .extents = {1, 1, 1}}, {.neighbours = 7}, "one cell");
  compare(flat, {.extents = {0, 7, 1}}, {.neighbours = 7}, "no cell");
  compare(deep, raster_over(0, 0, 0, 1, 0.5, 0.75, 0.0625), {.neighbours = 8, .sectors = 8}, "a block");
}

// Which samples are at the radius, and which lie between two sectors, roundings do not say.
TEST_F(GpuNeighbours, on_lattices_of_decimals_have_the_bits_of_the_cpu) {
  for (const double x0 : {0.0, -0.7, 500000.3})
    for (const double step : {0.1, 0.7, 0.05}) {
      Cloud c{2, 1, {}, {}, {}};
      for (int i = 0; i < 400; ++i) {
        c.places.insert(c.places.end(), {x0 + step * (i % 20), 3 * x0 + step * (i / 20)});
        c.values.push_back(i % 7);
      }
      const Raster raster = raster_over(x0 - step / 2, 3 * x0, x0 + 10 * step, 3 * x0 + 12 * step, step);
      for (const double radius : {step, 3 * step, 5 * step})
        for (const Interpolation& how : {Interpolation{.neighbours = 30, .radius = radius, .nodata = nodata},
                                         Interpolation{.neighbours = 2, .radius = radius, .sectors = 4, .nodata = nodata},
                                         Interpolation{.neighbours = 3, .radius = radius, .sectors = 8, .nodata = nodata}}) {
          std::vector<double> want(static_cast<std::size_t>(raster.n_cells()));
          interpolate(c.samples(), raster, how, std::span<double>(want));
          EXPECT_EQ(run_guarded<double>(Interpolator(c.samples(), how, cuda()), raster, raster.n_cells()), want) << x0 << " " << step;
        }
      const Interpolation all{.radius = 5 * step, .least_neighbours = 70, .nodata = nodata};
      std::vector<double> want(static_cast<std::size_t>(raster.n_cells()));
      interpolate(c.samples(), raster, all, std::span<double>(want));
      const std::vector<double> got = run_guarded<double>(Interpolator(c.samples(), all, cuda()), raster, raster.n_cells());
      for (std::size_t t = 0; t < want.size(); ++t) EXPECT_NEAR(got[t], want[t], 1e-10) << x0 << " " << step << " " << t;
    }
}

TEST_F(GpuNeighbours, of_hits_near_hits_and_far_coordinates) {
  const Cloud c{2, 1, {0.1, 0.7, 0.1, 0.7, 0.5, 0.2, 1e6, 3}, {3, 8, 40, -5}, {1, 3, 1, 1}};
  EXPECT_EQ(gpu_values<double>(c, std::vector<double>{0.1, 0.7, 0.5, 0.2, 1e6, 3}, {.neighbours = 2}), (std::vector<double>{6.75, 40, -5}));
  const Cloud close{2, 1, {0, 0, 3e-30, 0, 1, 1}, {10, 20, 50}, {}};
  expect_same(close, {1e-30, 0, 2e-30, 0, 1e-30, 1e-30, 0, 0}, {.neighbours = 3}, "1e-30 apart");
  const Cloud far = cloud(1000, 2, Spread::uniform, 1, 5, 1e6, 0.32);
  expect_same(far, targets_of(far, 200, 1e6, 0.32), {.neighbours = 12}, "an offset of 1e6");
  expect_same(cloud(100, 2), {1e149, -1e149, 40, 50}, {.neighbours = 12}, "targets far away");
}

TEST_F(GpuNeighbours, where_there_are_too_few_or_no_place_there_is_no_value) {
  const Cloud c = cloud(20, 2);
  const std::vector<double> places = targets_of(c, 10);
  for (const std::int64_t k : {0, 4}) {
    const Interpolation how{.neighbours = k, .least_neighbours = 21, .nodata = nodata};
    EXPECT_EQ(gpu_values<double>(c, places, how), std::vector<double>(10, nodata));
  }
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const Interpolation& how : {Interpolation{.neighbours = 3, .nodata = nodata}, Interpolation{.radius = 9, .nodata = nodata}}) {
    const std::vector<float> got = gpu_values<float>(c, std::vector<double>{nan, 0, 0, infinity, -infinity, 1, 0.5, 0.5}, how);
    for (std::size_t t = 0; t < 3; ++t) EXPECT_TRUE(std::isnan(got[t])) << t << " is " << got[t];
    EXPECT_GT(got[3], -21.0F);
  }
  const std::vector<float> floats = {0.25F, 0.5F, 0.1F, 0.9F};
  EXPECT_EQ(gpu_values<double>(c, floats, {.neighbours = 3}), interpolated<double>(c, {floats.begin(), floats.end()}, {.neighbours = 3}));
}

TEST_F(GpuNeighbours, gives_the_same_bits_in_every_run_and_constants_as_they_are) {
  Cloud c = cloud(20000, 2, Spread::clustered);
  const std::vector<double> places = targets_of(c, 5000);
  for (const Interpolation& how : {Interpolation{.neighbours = 12}, Interpolation{.power = 2.5, .radius = 1e-5}}) {
    const std::vector<double> once = gpu_values<double>(c, places, how), again = gpu_values<double>(c, places, how);
    EXPECT_TRUE(std::equal(once.begin(), once.end(), again.begin(), [](double a, double b) { return a == b || (a != a && b != b); }));
  }
  std::fill(c.values.begin(), c.values.end(), 0.1);
  for (const double p : {2.0, 2.5}) EXPECT_EQ(gpu_values<float>(c, places, {.power = p, .neighbours = 9}), std::vector<float>(5000, 0.1F));
}

}  // namespace
}  // namespace crinkle::testing
