// Sums over all samples within a radius against their definition, wherever targets and samples lie.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "interpolate/cpu/radius_kernels.hpp"
#include "interpolate/metric.hpp"
#include "interpolate/support.hpp"
#include "support/threads.hpp"

namespace crinkle::radius_test {
namespace {

using namespace testing;

TEST(Radius, every_spread_weight_and_power_is_as_defined) {
  for (const Spread spread : spreads) {
    for (const int n_dimensions : {2, 3}) {
      for (const std::int64_t n : {1, 8, 9, 100}) {
        Cloud c = cloud(n, n_dimensions, spread, n == 9 ? 3 : 1);
        if (n == 100)
          for (std::int64_t i = 0; i < n; ++i) c.weights.push_back(1e-3 + static_cast<double>(i % 5));
        const auto places = targets_of(c, 60);
        for (const double radius : {0.01, 0.3, 1e3, 1e200})
          for (const double p : {0.5, 1.0, 2.0, 3.0, 4.0, 7.5, 300.0})
            for (const double smoothing : {0.0, 0.05}) {
              const Interpolation how{.power = p,
                                      .smoothing = smoothing,
                                      .radius = radius,
                                      .least_neighbours = n == 8 ? 3 : 1,
                                      .sectors = n_dimensions == 2 && n == 9 ? 4 : 1,
                                      .anisotropy = {n_dimensions == 2 && n == 9 ? 2.0 : 1.0, 30}};
              ASSERT_LE(error_of(c, defined(c, places, how), interpolated<double>(c, places, how)),
                        how.anisotropy.ratio > 1 ? 1e-10 : 1e-12)
                  << n_dimensions << "-D, " << n << " samples, spread " << static_cast<int>(spread) << ", radius " << radius
                  << ", p = " << p << ", smoothing " << smoothing;
            }
      }
    }
  }
}

// More leaves than one call takes, targets far apart and close together, rasters and places.
TEST(Radius, rasters_have_the_bits_of_places_whatever_the_threads) {
  const Cloud c = cloud(6000, 2, Spread::uniform, 2);
  const Raster raster{.first = {-0.2, 1.1, 0}, .step = {0.02, -0.01, 1}, .extents = {70, 90, 1}};
  std::vector<double> places;
  for (std::int64_t t = 0; t < raster.n_cells(); ++t)
    for (const std::size_t a : {0u, 1u}) {
      const std::int64_t at = a == 0 ? t % raster.extents[0] : t / raster.extents[0];
      places.push_back(raster.first[a] + static_cast<double>(at) * raster.step[a]);
    }
  Threads one(1), three(3);
  for (const double radius : {0.003, 0.05, 0.8}) {
    const Interpolation how{.radius = radius, .nodata = -9};
    std::vector<double> got(static_cast<std::size_t>(2 * raster.n_cells())), again(got.size());
    interpolate(c.samples(), raster, how, std::span<double>(got), one);
    interpolate(c.samples(), raster, how, std::span<double>(again), three);
    EXPECT_EQ(got, again);
    EXPECT_EQ(got, interpolated<double>(c, places, how, three));
    std::vector<double> few, of_few;
    const std::size_t n = places.size() / 2;
    for (std::size_t t = 0; t < n; t += 1613) few.insert(few.end(), {places[2 * t], places[2 * t + 1]});
    for (const std::size_t column : {0u, 1u})
      for (std::size_t t = 0; t < n; t += 1613) of_few.push_back(got[column * n + t]);
    EXPECT_LE(error_of(c, defined(c, few, how), of_few), 1e-12) << radius;
  }
}

TEST(Radius, hits_and_constants_are_exact) {
  Cloud c = cloud(500, 2);
  const Interpolation how{.power = 2.5, .radius = 0.2};
  EXPECT_EQ(interpolated<double>(c, c.places, how), c.values);
  std::vector<double> beside;
  for (const double x : c.places) beside.push_back(x + 1e-30);
  beside.insert(beside.end(), {1e-170, 0});
  c.places.insert(c.places.end(), {0, 0, 1e-155, 0});  // squares of less than float64 has
  c.values.insert(c.values.end(), {3, 5});
  EXPECT_EQ(interpolated<double>(c, {1e-170, 0}, how), std::vector<double>{3});
  std::fill(c.values.begin(), c.values.end(), 0.1);
  for (const double got : interpolated<double>(c, targets_of(c, 500), how)) EXPECT_TRUE(got == 0.1 || std::isnan(got)) << got;
  for (const double got : interpolated<double>(c, beside, how)) EXPECT_EQ(got, 0.1);
}

TEST(Radius, values_and_weights_near_the_ends_of_their_range_do_not_overflow) {
  Cloud c = cloud(40, 2);
  for (double& value : c.values) value *= 1e150;
  for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i % 2 == 0 ? 1e140 : 1e130);
  const auto places = targets_of(c, 60);
  const Interpolation how{.power = 4, .radius = 0.5};
  EXPECT_LE(error_of(c, defined(c, places, how), interpolated<double>(c, places, how)), 1e-12);
}

template <int n_dimensions>
void expect_sums() {
  using namespace simd;
  constexpr std::int64_t n_leaves = 11, n_columns = 2;
  Random random(3);
  std::vector<double> places, values, scales;
  for (std::int64_t i = 0; i < n_leaves * n_dimensions * 8; ++i)
    places.push_back(i % 8 == 7 ? std::numeric_limits<double>::infinity() : random());
  for (std::int64_t i = 0; i < n_leaves * n_columns * 8; ++i) values.push_back(random());
  for (std::int64_t i = 0; i < n_leaves * 8; ++i) scales.push_back(random());
  const double zeros[] = {0.5, 0}, q[] = {0.4, 0.5, 0.6};
  const std::vector<std::int64_t> leaves = {0, 2, 3, 4, 5, 6, 7, 9, 10};
  RadiusRoom room;
  // Roundings are so large that the coordinates decide of many samples.
  const interpolation::Reach reach{.radius = 0.3, .scale = 0x1p46, .size = 0.2, .most = 1, .inner = 0.09, .outer = 0.125};
  for (const double power : {1.0, 2.0, 3.0, 4.0, 2.5}) {
    const RadiusSamples samples{places.data(), values.data(), scales.data(), zeros, n_leaves, n_columns, reach, 0.01, power};
    std::vector<double> first;
    for (const RadiusKernels* kernels : RadiusKernels::all()) {
      std::vector<double> sums(2);
      const RadiusSums got = kernels->sum[n_dimensions - 2](samples, q, leaves.data(), std::ssize(leaves), room, sums.data());
      sums.insert(sums.end(), {got.weights, got.least});
      RadiusSums want{.least = 1};
      double want_sums[2] = {};
      std::int64_t n_between = 0;
      for (const std::int64_t leaf : leaves)
        for (std::int64_t i = 0; i < 8; ++i) {
          double x[3] = {}, away[3] = {};
          for (std::int64_t a = 0; a < n_dimensions; ++a) {
            x[a] = places[static_cast<std::size_t>((leaf * n_dimensions + a) * 8 + i)];
            away[a] = x[a] - q[a];
          }
          const double square = interpolation::square_of<n_dimensions>(away);
          if (!reach.has<n_dimensions>(square, x, q)) continue;
          n_between += square > reach.inner ? 1 : 0;
          const double w = scales[static_cast<std::size_t>(8 * leaf + i)] * std::pow(0.1 / (square + 0.01), power / 2);
          want = {want.n + 1, std::min(want.least, square + 0.01), want.weights + w};
          for (std::size_t k = 0; k < 2; ++k)
            want_sums[k] += w * (values[k * 8 * n_leaves + static_cast<std::size_t>(8 * leaf + i)] - zeros[k]);
        }
      ASSERT_GT(want.n, 3);
      ASSERT_GT(n_between, 0);
      EXPECT_EQ(got.n, want.n) << kernels->target;
      EXPECT_EQ(got.least, want.least) << kernels->target;
      EXPECT_NEAR(got.weights, want.weights, 1e-13 * want.weights) << kernels->target;
      for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(sums[k], want_sums[k], 1e-13 * want.weights) << kernels->target;
      if (first.empty()) first = sums;
      const bool is_same = power == 2.5 || sums == first;  // hwy::Exp differs in its last bits
      EXPECT_TRUE(is_same) << kernels->target << ", p = " << power;
    }
  }
}

TEST(RadiusKernels, every_instruction_set_has_the_same_sums) {
  expect_sums<2>();
  expect_sums<3>();
}

}  // namespace
}  // namespace crinkle::radius_test
