// Sums over all samples against the definition: every power, number of samples, spread, precision.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <numeric>

#include "interpolate/cpu/weight_kernels.hpp"
#include "interpolate/support.hpp"
#include "support/threads.hpp"

namespace crinkle::full_sum_test {
namespace {

using namespace testing;

constexpr double powers[] = {0.5, 1, 2, 2.5, 3, 4, 6, 7, 16};
constexpr double most_float = 1e-6, most_double = 1e-12;

void expect_right(const Cloud& c, const std::vector<double>& places, const Interpolation& how, const std::string& what) {
  const std::vector<double> wanted = defined(c, places, how);
  EXPECT_LE(error_of(c, wanted, interpolated<float>(c, places, how)), most_float) << what << ", float32, p = " << how.power;
  EXPECT_LE(error_of(c, wanted, interpolated<double>(c, places, how)), most_double) << what << ", float64, p = " << how.power;
}

TEST(FullSum, every_power_and_number_of_samples) {
  for (const int n_dimensions : {2, 3}) {
    for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 65, 1025}) {
      const Cloud c = cloud(n, n_dimensions);
      const auto places = targets_of(c, n < 1000 ? 67 : 20);
      for (const double p : powers) expect_right(c, places, {.power = p}, std::to_string(n) + " samples");
    }
  }
}

TEST(FullSum, many_samples) {
  const Cloud c = cloud(4097, 2);
  const auto places = targets_of(c, 20);
  for (const double p : {1.0, 2.0, 2.5, 16.0}) expect_right(c, places, {.power = p}, "4097 samples");
}

TEST(FullSum, every_spread) {
  for (const Spread spread : spreads) {
    for (const int n_dimensions : {2, 3}) {
      const Cloud c = cloud(150, n_dimensions, spread);
      const auto places = targets_of(c, 40);
      for (const double p : powers) expect_right(c, places, {.power = p}, "spread " + std::to_string(static_cast<int>(spread)));
    }
  }
}

TEST(FullSum, coordinates_far_from_zero) {
  const Cloud c = cloud(500, 2, Spread::uniform, 1, 3, 1e6, 0.22);  // about 1e-2 between neighbours
  const auto places = targets_of(c, 70, 1e6, 0.22);
  for (const double p : powers) expect_right(c, places, {.power = p}, "offset 1e6");
}

TEST(FullSum, float_coordinates) {
  Cloud c = cloud(500, 2);
  std::vector<double> places = targets_of(c, 70);
  for (double& x : c.places) x = static_cast<double>(static_cast<float>(x));
  for (double& x : places) x = static_cast<double>(static_cast<float>(x));
  for (const double p : powers) expect_right(c, places, {.power = p}, "float32 coordinates");
}

TEST(FullSum, columns_weights_and_smoothing) {
  for (const std::int64_t n_columns : {1, 2, 3, 4, 5, 9}) {
    Cloud c = cloud(70, 2, Spread::uniform, n_columns);
    const auto places = targets_of(c, 15);
    for (const bool has_weights : {false, true}) {
      Random random(5);
      if (has_weights)
        for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i % 10 == 0 ? 0 : random() + 0.1);
      for (const double smoothing : {0.0, 1e-9, 0.05, 30.0})
        for (const double p : {1.0, 2.0, 2.5, 6.0})
          expect_right(c, places, {.power = p, .smoothing = smoothing}, std::to_string(n_columns) + " columns");
    }
  }
}

TEST(FullSum, hits_have_the_mean_of_what_is_there) {
  const Cloud c{2, 1, {0.5, 0.5, 2, 3, 0.5, 0.5, 7, 1}, {1, 50, 4, -3}, {}};
  for (const double p : powers) {
    EXPECT_EQ(interpolated<double>(c, {0.5, 0.5, 2, 3}, {.power = p}), (std::vector<double>{2.5, 50}));
    EXPECT_EQ(interpolated<float>(c, {0.5, 0.5, 2, 3}, {.power = p}), (std::vector<float>{2.5, 50}));
  }
  Cloud weighted = c;
  weighted.weights = {3, 1, 1, 1};
  EXPECT_EQ(interpolated<double>(weighted, {0.5, 0.5}, {}), (std::vector<double>{1.75}));
}

TEST(FullSum, near_hits) {
  for (const double away : {1e-3, 1e-9, 1e-15, 1e-30, 1e-60}) {
    const Cloud c{2, 1, {0, away, 3 * away, 0, 1, 1, -1, 0.5}, {10, 20, 5, 7}, {}};
    const std::vector<double> places = {0, 0, away, 0, 1, 1 + 1e-15, 0.5, 0.5};
    for (const double p : powers) expect_right(c, places, {.power = p}, "samples " + std::to_string(away) + " away");
  }
}

TEST(FullSum, constants_are_exact) {
  for (const double constant : {3.7, -1e6 + 0.1, 1e30, 0.0}) {
    Cloud c = cloud(200, 2);
    std::fill(c.values.begin(), c.values.end(), constant);
    const auto places = targets_of(c, 100);
    for (const double p : powers) {
      for (const double got : interpolated<double>(c, places, {.power = p})) EXPECT_EQ(got, constant);
      for (const float got : interpolated<float>(c, places, {.power = p})) EXPECT_EQ(got, static_cast<float>(constant));
    }
  }
}

TEST(FullSum, the_order_of_samples_changes_roundings_only) {
  const Cloud c = cloud(1000, 2);
  Cloud turned = c;
  for (std::int64_t i = 0; i < c.n(); ++i) {
    const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(i * 387 % 1000);
    turned.values[to] = c.values[from];
    for (std::size_t a = 0; a < 2; ++a) turned.places[2 * to + a] = c.places[2 * from + a];
  }
  const auto places = targets_of(c, 100);
  const auto a = interpolated<double>(c, places, {}), b = interpolated<double>(turned, places, {});
  for (std::size_t t = 0; t < a.size(); ++t) EXPECT_NEAR(a[t], b[t], 1e-10);
}

TEST(FullSum, any_number_of_threads_gives_the_same_bits) {
  const Cloud c = cloud(777, 3, Spread::uniform, 2);
  const auto places = targets_of(c, 1500);
  Threads one(1), three(3);
  for (const double p : {2.0, 2.5}) {
    EXPECT_EQ(interpolated<float>(c, places, {.power = p}, one), interpolated<float>(c, places, {.power = p}, three));
    EXPECT_EQ(interpolated<double>(c, places, {.power = p}, one), interpolated<double>(c, places, {.power = p}, three));
  }
}

TEST(FullSum, a_raster_is_its_cells_one_by_one) {
  const Cloud c = cloud(50, 2);
  const Raster raster = raster_over(0, 0, 1, 0.5, 0.09);
  EXPECT_EQ(raster.extents, (std::array<std::int64_t, 3>{12, 6, 1}));
  std::vector<double> map(72), places;
  interpolate(c.samples(), raster, {}, std::span<double>(map));
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 12; ++column) places.insert(places.end(), {0.045 + column * 0.09, 0.5 - 0.045 - row * 0.09});
  const auto want = interpolated<double>(c, places, {});
  for (std::size_t t = 0; t < map.size(); ++t) EXPECT_NEAR(map[t], want[t], 1e-9);
}

TEST(FullSum, rasters_of_float32_are_the_definition) {
  const Cloud flat = cloud(600, 2, Spread::clustered), deep = cloud(400, 3);
  const Raster map = raster_over(0, 0, 1, 0.1, 0.01), block = raster_over(0, 0, 0, 1, 0.1, 0.1, 0.02);
  const auto compare = [](const Cloud& c, const Raster& raster, double p) {
    std::vector<double> places;
    for (std::int64_t i = 0; i < raster.n_cells(); ++i) {
      const std::int64_t cell[3] = {i % raster.extents[0], i / raster.extents[0] % raster.extents[1],
                                    i / raster.extents[0] / raster.extents[1]};
      for (std::size_t a = 0; a < static_cast<std::size_t>(c.n_dimensions); ++a)
        places.push_back(raster.first[a] + static_cast<double>(cell[a]) * raster.step[a]);
    }
    std::vector<float> got(places.size() / static_cast<std::size_t>(c.n_dimensions));
    interpolate(c.samples(), raster, {.power = p}, std::span<float>(got));
    EXPECT_LE(error_of(c, defined(c, places, {.power = p}), got), most_float) << "p = " << p;
  };
  for (const double p : {1.0, 2.0, 2.5, 6.0}) {
    compare(flat, map, p);
    compare(deep, block, p);
  }
}

// Every instruction set, by the kernels themselves, against a plain sum. Targets lie on one side of the three runs, so that these are near
// or far as their radius says.
TEST(WeightKernels, every_instruction_set) {
  constexpr std::int64_t n = 130, n_targets = simd::WeightRange<float>::targets_together;
  constexpr std::size_t n_runs = 3;
  Random random(1);
  std::vector<float> x(n), y(n), z(n), low(n), qx(n_targets), qy(n_targets), qx_low(n_targets), qy_low(n_targets), scale(n_targets, 1e5f),
      least(n_targets);
  for (auto* v : {&x, &y, &z, &qx, &qy})
    for (float& number : *v) number = static_cast<float>(random());
  for (auto* v : {&low, &qx_low, &qy_low})
    for (float& number : *v) number = static_cast<float>(random() * 1e-8);
  std::vector<float> origin_x(n_runs, 0.5f), origin_y(n_runs, -3), origin_low(n_runs, 2e-9f);
  const auto apart = [&](std::size_t j, std::size_t t) {  // y is relative to -3, and targets are -3 away from there
    const auto away = [&](float of_x, float of_q, float q_low, double origin) {
      return static_cast<double>(of_x) + static_cast<double>(low[j]) + origin + static_cast<double>(origin_low[0]) -
             static_cast<double>(of_q) - static_cast<double>(q_low);
    };
    const double dx = away(x[j], qx[t], qx_low[t], 0.5), dy = away(y[j], qy[t], qy_low[t], -3);
    return dx * dx + dy * dy + 1e-5;
  };
  const auto tables = simd::WeightKernels::all();
  ASSERT_FALSE(tables.empty());
  for (const simd::WeightKernels* table : tables) {
    for (const bool is_row : {false, true}) {
      // Far ones in a row share what y adds.
      if (is_row) std::fill(qy.begin(), qy.end(), 0.25f), std::fill(qy_low.begin(), qy_low.end(), 1e-9f);
      for (const float radius : {1.0f, 1e3f}) {
        const std::vector<float> radii(n_runs, radius);
        std::vector<double> weights(n_targets, 1.0), sums(n_targets, 2.0);
        simd::WeightRange<float> range;
        range.place[0] = x.data(), range.place[1] = y.data(), range.low[0] = range.low[1] = low.data(), range.values[0] = z.data();
        range.target[0] = qx.data(), range.target[1] = qy.data(), range.target_low[0] = qx_low.data(), range.target_low[1] = qy_low.data();
        range.origin[0] = origin_x.data(), range.origin[1] = origin_y.data(), range.origin_low[0] = range.origin_low[1] = origin_low.data();
        range.square_radius = radii.data(), range.scale = scale.data(), range.n_targets = n_targets, range.begin = 1, range.end = n;
        range.smoothing = 1e-5f, range.half_power = 1.25f, range.whole = 6, range.weight_sums = weights.data();
        range.value_sums[0] = sums.data(), range.least = least.data();
        for (int rule = 0; rule < simd::n_weight_rules; ++rule) {
          const double p = rule < 4 ? rule + 1 : rule == 4 ? 6 : 2.5;
          std::fill(weights.begin(), weights.end(), 1.0), std::fill(sums.begin(), sums.end(), 2.0);
          table->float32.add[0][0][rule](range);
          for (std::size_t t = 0; t < n_targets; ++t) {
            double weight = 1, sum = 2;
            for (std::size_t j = 1; j < n; ++j) {
              const double w = std::pow(apart(j, t) * (rule < 4 ? 1 : 1e5), -p / 2);
              weight += w;
              sum += w * static_cast<double>(z[j]);
            }
            EXPECT_NEAR(weights[t] / weight, 1, 1e-6) << table->target << ", p = " << p << ", radius " << radius;
            EXPECT_NEAR(sums[t] / sum, 1, 1e-6) << table->target << ", p = " << p << ", radius " << radius;
          }
        }
        std::fill(least.begin(), least.end(), 1e9f);
        table->float32.least[0](range);
        for (std::size_t t = 0; t < n_targets; ++t) {
          double nearest = 1e9;
          for (std::size_t j = 1; j < n; ++j) nearest = std::min(nearest, apart(j, t));
          EXPECT_NEAR(static_cast<double>(least[t]) / nearest, 1, 1e-6) << table->target << ", radius " << radius;
        }
      }
    }
  }
}

}  // namespace
}  // namespace crinkle::full_sum_test
