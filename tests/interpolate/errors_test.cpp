// What is refused, and that the text names what was wrong.
// SPDX-License-Identifier: BSD-3-Clause
#include <functional>

#include "crinkle/error.hpp"
#include "interpolate/support.hpp"

namespace crinkle::errors_test {
namespace {

using namespace testing;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

void expect_error(ErrorCode code, const std::string& says, const std::function<void()>& act) {
  try {
    act();
    ADD_FAILURE() << "nothing was thrown; expected: " << says;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what() << "\nshould say " << says;
  }
}
void expect_refused(const std::string& says, const Cloud& c, const Interpolation& how) {
  expect_error(ErrorCode::bad_shape, says, [&] { Interpolator(c.samples(), how); });
}

TEST(InterpolationErrors, options) {
  const Cloud c = cloud(10, 2), deep = cloud(10, 3);
  for (const double p : {0.0, -1.0, nan, infinity, 1025.0}) expect_refused("power", c, {.power = p});
  for (const double s : {-1e-9, nan, infinity}) expect_refused("smoothing", c, {.smoothing = s});
  for (const double e : {-1e-3, nan, infinity}) expect_refused("tolerance", c, {.tolerance = e});
  expect_refused("-1 neighbours", c, {.neighbours = -1});
  for (const double r : {0.0, -3.0, nan}) expect_refused("radius", c, {.radius = r});
  expect_refused("5 sectors", c, {.neighbours = 3, .sectors = 5});
  expect_refused("octants", deep, {.neighbours = 3, .sectors = 4});
  expect_refused("sectors", c, {.sectors = 4});
  expect_refused("ratio", c, {.anisotropy = {0.5, 0}});
  expect_refused("angle", c, {.anisotropy = {2, nan}});
  expect_refused("2 dimensions", deep, {.anisotropy = {2, 0}});
  expect_refused("-2 neighbours", c, {.least_neighbours = -2});
}

TEST(InterpolationErrors, samples) {
  const Cloud c = cloud(10, 2);
  expect_refused("no samples", Cloud{}, {});
  Cloud wrong = c;
  wrong.places[7] = nan;
  expect_refused("sample 3 has y = nan", wrong, {});
  wrong.places[7] = infinity;
  expect_refused("sample 3 has y = inf", wrong, {});
  wrong.places[7] = 1e200;
  expect_refused("sample 3 has y = 1e+200", wrong, {});
  wrong = c;
  wrong.values[4] = nan;
  expect_refused("sample 4 has value nan", wrong, {});
  wrong = c;
  wrong.values.pop_back();
  expect_refused("10 samples in 1 columns need 10 values, not 9", wrong, {});
  wrong = c;
  wrong.places.pop_back();
  expect_refused("19 coordinates", wrong, {});
  wrong = c;
  wrong.weights.assign(9, 1.0);
  expect_refused("10 weights or none, not 9", wrong, {});
  wrong.weights.assign(10, 0.0);
  expect_refused("weight 0", wrong, {});
  wrong.weights[3] = -1;
  expect_refused("sample 3 has weight -1", wrong, {});
  wrong = c;
  wrong.n_dimensions = 5;
  expect_refused("5 dimensions", wrong, {});
}

TEST(InterpolationErrors, targets) {
  const Cloud c = cloud(10, 2);
  const Interpolator interpolator(c.samples(), {});
  std::vector<double> out(4, -7);
  const auto refused = [&](const std::string& says, const auto& targets) {
    expect_error(ErrorCode::bad_shape, says, [&] { interpolator.run(targets, std::span<double>(out)); });
  };
  refused("target 1 has x = nan", Reals(std::vector<double>{0, 0, nan, 1, 2, 2, 3, 3}));
  refused("the values have 32 bytes; the interpolation touches bytes 0 to 40", Reals(std::vector<double>(10)));
  refused("9 coordinates", Reals(std::vector<double>(9)));
  refused("layers", Raster{.extents = {1, 2, 2}});
  refused("cells", Raster{.extents = {-1, 2, 1}});
  refused("inf", Raster{.step = {infinity, 1, 1}, .extents = {2, 2, 1}});
  EXPECT_EQ(out, std::vector<double>(4, -7));
  expect_error(ErrorCode::too_large, "fit",
               [&] { interpolator.run(Raster{.extents = {1ll << 40, 1ll << 40, 1}}, std::span<double>(out)); });
}

TEST(InterpolationErrors, nodata_that_float32_does_not_hold) {
  const Cloud c = cloud(10, 2);
  const std::vector<double> places = {0.5, 0.5, 9, 9};
  std::vector<float> out(2, -7);
  for (const double nodata : {-1.7976931348623157e308, 1e300, 3.4028236e38}) {
    const Interpolation how{.radius = 1, .nodata = nodata};
    expect_error(ErrorCode::bad_shape, "beyond float32", [&] { interpolate(c.samples(), Reals(places), how, std::span<float>(out)); });
    EXPECT_EQ(interpolated<double>(c, places, how)[1], nodata);
  }
  EXPECT_EQ(out, std::vector<float>(2, -7));
  EXPECT_EQ(interpolated<float>(c, places, {.radius = 1, .nodata = -3.4028235e38})[1], -std::numeric_limits<float>::max());
  EXPECT_EQ(interpolated<float>(c, places, {.radius = 1, .nodata = -infinity})[1], -std::numeric_limits<float>::infinity());
}

TEST(InterpolationErrors, rasters) {
  expect_error(ErrorCode::bad_shape, "cell of 0", [] { raster_over(0, 0, 1, 1, 0); });
  expect_error(ErrorCode::bad_shape, "cell of -2", [] { raster_over(0, 0, 1, 1, -2); });
  expect_error(ErrorCode::bad_shape, "from 1 to 1 along x", [] { raster_over(1, 0, 1, 1, 1); });
  expect_error(ErrorCode::bad_shape, "along y", [] { raster_over(0, 5, 1, 1, 1); });
  expect_error(ErrorCode::bad_shape, "along y", [] { raster_over(0, nan, 1, 1, 1); });
  expect_error(ErrorCode::too_large, "cells", [] { raster_over(0, 0, 1e300, 1, 1e-10); });
  expect_error(ErrorCode::too_large, "1000000000000000 × 1000000000000000 cells of 0.01 are more than fit 64 bits",
               [] { raster_over(0, 0, 1e13, 1e13, 1e-2); });
}

TEST(InterpolationErrors, cross_validation_and_bins) {
  const Cloud c = cloud(10, 2), one = cloud(1, 2);
  const std::vector<double> powers = {2}, none;
  const std::vector<std::int64_t> three = {3};
  expect_error(ErrorCode::bad_shape, "only one", [&] { cross_validate(one.samples(), {}, powers, three); });
  expect_error(ErrorCode::bad_shape, "to try", [&] { cross_validate(c.samples(), {}, none, three); });
  expect_error(ErrorCode::bad_shape, "no scores", [] { best_of({}); });
  std::vector<double> out(3);
  const Statistic count[] = {Statistic::count};
  expect_error(ErrorCode::bad_shape, "the statistics have 24 bytes; the binning touches bytes 0 to 32",
               [&] { bin(c.samples(), {.extents = {2, 2, 1}}, count, out); });
  expect_error(ErrorCode::bad_shape, "step 0", [&] { bin(c.samples(), {.step = {0, 1, 1}, .extents = {3, 1, 1}}, count, out); });
}

TEST(InterpolationErrors, gpus_of_a_build_without_cuda) {
  if (has_cuda()) GTEST_SKIP() << "this build has CUDA";
  const Cloud c = cloud(10, 2);
  const Device gpu = {Device::Kind::cuda, 1};
  const double powers[] = {2};
  const std::int64_t neighbours[] = {3};
  const Statistic count[] = {Statistic::count};
  std::vector<double> out(3, 5);
  const std::string says = "CUDA device 1: this build of crinkle has no CUDA executor";
  expect_error(ErrorCode::unsupported, says, [&] { cross_validate(c.samples(), {}, powers, neighbours, gpu); });
  expect_error(ErrorCode::unsupported, says, [&] { bin(c.samples(), {.extents = {3, 1, 1}}, count, out, 0, gpu); });
  EXPECT_EQ(out, std::vector<double>(3, 5));
}

}  // namespace
}  // namespace crinkle::errors_test
