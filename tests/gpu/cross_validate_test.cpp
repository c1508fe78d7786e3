// Leave-one-out cross-validation on a real GPU is that of the CPU: to the bit for neighbours and whole powers up to 4, and within 1e-12 of
// the values' range otherwise. Spreads, samples on one place, weights, columns, sectors, a radius, ellipses, numbers around a block's.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "interpolate/support.hpp"
#include "notation/expect_error.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {
namespace {

class GpuCrossValidation : public OnGpu {};

Cloud weighted(Cloud c) {
  Random random(3);
  for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i % 11 == 4 ? 0 : 5 * random() + 1e-3);
  return c;
}

void expect_same(const Cloud& c, const Interpolation& how, const std::vector<double>& powers, const std::vector<std::int64_t>& neighbours,
                 const std::string& what) {
  const std::vector<Score> want = cross_validate(c.samples(), how, powers, neighbours);
  const std::vector<Score> got = cross_validate(c.samples(), how, powers, neighbours, cuda());
  ASSERT_EQ(got.size(), want.size()) << what;
  const auto [least, most] = std::minmax_element(c.values.begin(), c.values.end());
  for (std::size_t s = 0; s < want.size(); ++s) {
    const double p = want[s].power;
    const std::string here = what + ", power " + std::to_string(p) + ", neighbours " + std::to_string(want[s].neighbours);
    EXPECT_EQ(got[s].power, p) << here;
    EXPECT_EQ(got[s].neighbours, want[s].neighbours) << here;
    EXPECT_EQ(got[s].n_predicted, want[s].n_predicted) << here;
    if (want[s].n_predicted == 0) EXPECT_TRUE(std::isnan(got[s].rmse)) << here;
    else if (want[s].neighbours > 0 && p == std::floor(p) && p <= 4) EXPECT_EQ(got[s].rmse, want[s].rmse) << here;
    else EXPECT_NEAR(got[s].rmse, want[s].rmse, 2e-12 * (*most - *least)) << here;  // both are within 1e-12 of the exact one
  }
}

TEST_F(GpuCrossValidation, is_that_of_the_cpu_for_every_spread_power_and_number) {
  for (const int d : {2, 3})
    for (const Spread spread : spreads)
      for (const std::int64_t n_columns : {1, 2, 5})
        for (const bool has_weights : {false, true}) {
          Cloud c = cloud(400, d, spread, n_columns);
          if (has_weights) c = weighted(std::move(c));
          const std::string what = std::to_string(d) + "-D, spread " + std::to_string(static_cast<int>(spread)) + ", " +
                                   std::to_string(n_columns) + " columns" + (has_weights ? ", weights" : "");
          expect_same(c, {}, {0.5, 1, 2, 2.5, 3, 4, 40}, {1, 3, 0, 8, 12, 40}, what);
          expect_same(c, {.smoothing = 0.05}, {1.5, 2}, {0, 9}, what + ", smoothing");
          expect_same(c, {.radius = 0.1, .least_neighbours = 3}, {2, 3.5}, {0, 5}, what + ", a radius");
        }
}

TEST_F(GpuCrossValidation, in_sectors_and_ellipses_is_that_of_the_cpu) {
  for (const int d : {2, 3})
    for (const Spread spread : {Spread::uniform, Spread::duplicates, Spread::lattice})
      for (const int sectors : {4, 8}) {
        if (d == 3 && sectors == 4) continue;
        const Cloud c = weighted(cloud(300, d, spread, 2));
        const std::string what = std::to_string(d) + "-D, " + std::to_string(sectors) + " sectors";
        expect_same(c, {.sectors = sectors}, {1, 2, 2.5}, {1, 3, 33}, what);
        expect_same(c, {.smoothing = 0.02, .radius = 0.25, .least_neighbours = 5, .sectors = sectors}, {2}, {2, 0}, what + ", a radius");
        if (d == 2) expect_same(c, {.sectors = sectors, .anisotropy = {3, 30}}, {2}, {2}, what + ", an ellipse");
      }
  expect_same(cloud(300, 2), {.anisotropy = {3, 30}}, {2, 2.5}, {12, 0}, "an ellipse");
}

TEST_F(GpuCrossValidation, of_any_number_of_samples_is_that_of_the_cpu) {
  for (const std::int64_t n : {2, 3, 9, 127, 128, 129, 257, 3000}) {
    std::vector<std::int64_t> neighbours = {0, 1};
    for (const std::int64_t k : {8, 9, 16, 17, 32, 33, 70})
      if (k < n) neighbours.push_back(k);
    expect_same(cloud(n, 2), {}, {2, 2.5}, neighbours, std::to_string(n) + " samples");
    expect_same(cloud(n, 3), {}, {1}, {n - 1}, std::to_string(n) + " samples, all of the others");
  }
  expect_same(cloud(20, 2), {.least_neighbours = 20}, {2}, {0, 4}, "too few others");
}

TEST_F(GpuCrossValidation, leaves_out_one_of_the_samples_on_a_place) {
  // Two on one place predict each other whatever else is near, and the third is predicted by what stands for both.
  const Cloud c{2, 1, {0, 0, 0, 0, 1, 0}, {4, 8, 3}, {}};
  for (const std::int64_t k : {1, 2, 0}) {
    const double powers[] = {2};
    const std::int64_t neighbours[] = {k};
    const Score score = cross_validate(c.samples(), {}, powers, neighbours, cuda())[0];
    EXPECT_EQ(score.n_predicted, 3);
    EXPECT_NEAR(score.rmse, std::sqrt((16.0 + 16 + 9) / 3), 1e-14) << k;
  }
  Cloud one_place = weighted(cloud(300, 2));
  std::fill(one_place.places.begin(), one_place.places.end(), 0.25);
  expect_same(one_place, {}, {2, 2.5}, {0, 1, 8, 40}, "all on one place");
  const Cloud close{2, 1, {0, 0, 3e-30, 0, 1, 1, 1e-200, 0, 0, 0}, {10, 20, 50, 40, 30}, {}};
  expect_same(close, {}, {1, 2, 2.5}, {0, 1, 2}, "0, 1e-200 and 1e-30 apart");
}

TEST_F(GpuCrossValidation, of_far_coordinates_constants_and_twice_is_the_same) {
  expect_same(cloud(500, 2, Spread::uniform, 1, 5, 1e6, 0.32), {}, {1, 2, 2.5}, {0, 12}, "an offset of 1e6");
  Cloud c = cloud(3000, 2, Spread::clustered, 2);
  const std::vector<double> powers = {2, 2.5};
  const std::vector<std::int64_t> neighbours = {0, 12};
  const auto once = cross_validate(c.samples(), {}, powers, neighbours, cuda()),
             again = cross_validate(c.samples(), {}, powers, neighbours, cuda());
  for (std::size_t s = 0; s < once.size(); ++s) EXPECT_EQ(once[s].rmse, again[s].rmse);
  std::fill(c.values.begin(), c.values.end(), 0.1);
  for (const Score& score : cross_validate(c.samples(), {}, powers, neighbours, cuda())) EXPECT_EQ(score.rmse, 0);
}

TEST_F(GpuCrossValidation, refuses_what_the_cpu_does_and_the_cpu) {
  const Cloud c = cloud(10, 2);
  const std::vector<double> powers = {2}, none;
  const std::vector<std::int64_t> minus_one = {-1}, three = {3};
  error_of(ErrorCode::bad_shape, [&] { cross_validate(c.samples(), {}, powers, minus_one, cuda()); });
  error_of(ErrorCode::bad_shape, [&] { cross_validate(c.samples(), {}, none, three, cuda()); });
  error_of(ErrorCode::device, [&] { cross_validate(c.samples(), {}, powers, three, cpu()); });
}

}  // namespace
}  // namespace crinkle::testing
