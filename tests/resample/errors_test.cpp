// What is refused, and that the text names what was wrong.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/resamplings.hpp"

#include <functional>

#include "crinkle/error.hpp"

namespace crinkle::resample_errors_test {
namespace {

void expect_error(ErrorCode code, const std::string& says, const std::function<void()>& act) {
  try {
    act();
    ADD_FAILURE() << "nothing was thrown; expected: " << says;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(std::string(e.what()).find(says), std::string::npos) << e.what() << "\nshould say " << says;
  }
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A resampling that is right, changed.
void expect_refused(const std::string& says, const std::function<void(Resampling&)>& change, ErrorCode code = ErrorCode::bad_shape) {
  Resampling r = resampling_of(skewed(2), {5, 6}, {7, 8}, f4);
  std::vector<float> in(64), out(64);
  EXPECT_NO_THROW(resample(r, in, out));
  std::fill(out.begin(), out.end(), -5.0f);
  change(r);
  expect_error(code, says, [&] { resample(r, in, out); });
  EXPECT_EQ(std::count(out.begin(), out.end(), -5.0f), 64) << says;
}

TEST(ResampleErrors, ranks_axes_and_extents) {
  expect_refused("2 axes of the source for a map of 3", [](Resampling& r) { r.map = skewed(3); });
  expect_refused("4 coordinates", [](Resampling& r) { r.map = skewed(4); });
  expect_refused("0 coordinates", [](Resampling& r) { r.map = skewed(0); });
  expect_refused("axis 2 of the source of 2 axes", [](Resampling& r) { r.axes = {0, 2}; });
  expect_refused("axis -3 of the source", [](Resampling& r) { r.axes = {-3, 1}; });
  expect_refused("axis -1 of the source is named twice", [](Resampling& r) { r.axes = {1, -1}; });
  expect_refused("of the destination is named twice", [](Resampling& r) { r.destination_axes = {1, 1}; });
  expect_refused("beside the resampled axes", [](Resampling& r) {
    r.map = skewed(1);
    r.axes = {1};
  });
  expect_refused("is empty", [](Resampling& r) { r.source = dense({0, 6}, f4); });
  expect_refused("elements of 8 bytes", [](Resampling& r) { r.source.element_bytes = 8; });
  expect_refused("the source has 256 bytes", [](Resampling& r) { r.source = dense({50, 6}, f4); });
  expect_refused("the destination has 256 bytes", [](Resampling& r) { r.destination = dense({50, 6}, f4); });
  expect_refused("written twice", [](Resampling& r) { r.destination.strides = {4, 4}; }, ErrorCode::overlap);
  expect_refused("17", [](Resampling& r) { r.source = dense(Extents(17, 1), f4); }, ErrorCode::unsupported);
}

TEST(ResampleErrors, maps_and_boundaries) {
  expect_refused("not finite", [](Resampling& r) {
    AffineMap map = skewed(2);
    map.matrix[1][0] = nan;
    r.map = map;
  });
  expect_refused("step of 0", [](Resampling& r) { r.map = PolarMap{.radius_step = 0}; });
  expect_refused("not finite", [](Resampling& r) { r.map = PolarMap{.centre = {0, nan}}; });
  expect_refused("periodic at one end", [](Resampling& r) { r.boundary = {Faces({Bound::periodic}, {Bound::edge})}; });
  expect_refused("function", [](Resampling& r) { r.boundary = {Faces(Bound::function)}; });
  expect_refused("boundaries of 3 axes", [](Resampling& r) { r.boundary.resize(3); });
  const std::vector<double> q(2 * 7 * 8);
  expect_refused("[7][9]", [&](Resampling& r) { r.map = CoordinateField{Layout::dense({2, 7, 9}, 8), Real::float64, q}; });
  expect_refused("coordinates of shape", [&](Resampling& r) { r.map = CoordinateField{Layout::dense({2}, 8), Real::float64, q}; });
  expect_refused("the array of coordinates has 895 bytes", [&](Resampling& r) {
    r.map = CoordinateField{Layout::dense({2, 7, 8}, 8), Real::float64, {q.data(), 2 * 7 * 8 * 8 - 1}};
  });
  expect_error(ErrorCode::bad_shape, "zoom of 4 axes", [] { zoom_map({1, 1, 1, 1}, {1, 1, 1, 1}); });
  expect_error(ErrorCode::bad_shape, "extents of 1 or more", [] { zoom_map({4}, {0}); });
  expect_error(ErrorCode::bad_shape, "finite angle", [] { rotation_map(nan, {4, 4}, {4, 4}); });
  expect_error(ErrorCode::bad_shape, "radius of 1;",
               [] { polar_map(PolarMap::Direction::to_polar, {4, 4}, {0, 0}, 1, PolarScale::logarithmic); });
  expect_error(ErrorCode::bad_shape, "radius of 0", [] { polar_map(PolarMap::Direction::to_polar, {4, 4}, {0, 0}, 0); });
  expect_error(ErrorCode::bad_notation, "nearest, linear, cubic, spline, area, mode, lanczos", [] { parse_resample_by("quadratic"); });
}

TEST(ResampleErrors, buffers_that_share_bytes) {
  const Resampling r = resampling_of(skewed(2), {5, 6}, {5, 6}, f4);
  std::vector<float> both(30);
  expect_error(ErrorCode::overlap, "share 120 bytes", [&] { resample(r, both, both); });
  std::vector<double> q(2 * 30);
  std::vector<float> in(30);
  Resampling by_field = r;
  by_field.map = CoordinateField{Layout::dense({2, 5, 6}, 8), Real::float64, q};
  expect_error(ErrorCode::overlap, "share", [&] { resample(by_field, in, {q.data(), 120}); });
}

TEST(ResampleErrors, a_map_that_brings_all_to_one_place_is_allowed) {
  Resampling r = resampling_of(AffineMap{.rank = 2, .matrix = {}, .offset = {1, 2, 0}}, {3, 4}, {2, 2}, f4);
  EXPECT_EQ(values_of<float>(resampled(r, bytes_of_values<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}))), (std::vector<float>(4, 6)));
}

TEST(ResampleErrors, splines_through_what_they_would_spread) {
  for (const double number : {nan, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    for (const NumberType type : {f4, f8, NumberType{Number::float16}}) {
      Resampling r = resampling_of(skewed(2), {5, 6}, {5, 6}, type, {Faces(Bound::edge)});
      r.by = ResampleBy::spline;
      Bytes in = numbers_for(r.source, type), out(in.size());
      const auto put = [&](double x) { store_line(in.data() + 7 * r.source.element_bytes, 0, &x, 1, 1, type); };
      put(number);
      expect_error(ErrorCode::unsupported, "1 of which are NaN or infinite", [&] { resample(r, in, out); });
      put(2);
      resample(r, in, out);
      r.boundary = {Faces({Bound::constant, number}, {Bound::edge}), Faces(Bound::edge)};
      expect_error(ErrorCode::unsupported, "beyond whose array lies", [&] { resample(r, in, out); });
    }
  }
}

TEST(ResampleErrors, gpus) {
  if (has_cuda()) GTEST_SKIP() << "a build with CUDA: tests/gpu";
  std::vector<float> in(30), out(30);
  expect_error(ErrorCode::unsupported, "no CUDA",
               [&] { resample(resampling_of(skewed(2), {5, 6}, {5, 6}, f4), in, out, Device{Device::Kind::cuda, 0}, Stream()); });
}

}  // namespace
}  // namespace crinkle::resample_errors_test
