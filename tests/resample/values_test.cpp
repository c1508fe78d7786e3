// What resampling is for: identity, polynomials, turns, zooms, polar coordinates there and back, splines.
// SPDX-License-Identifier: BSD-3-Clause
#include "resample/resamplings.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace crinkle::resample_values_test {
namespace {

AffineMap moved_by(std::vector<double> offset) {
  AffineMap map;
  map.rank = static_cast<int>(offset.size());
  std::copy(offset.begin(), offset.end(), map.offset.begin());
  return map;
}

TEST(ResampleValues, identity_keeps_the_bits_beside_infinities_and_nans) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> line = {-0.0f, inf, 1, nan, -inf, 0, -0.0f, 2, 3e38f, -3e38f, 1e-45f, nan};
  for (const ResampleBy by : all_local) {
    for (const double beyond : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
      for (const Extents& shape : {Extents{12}, Extents{3, 4}, Extents{2, 3, 2}}) {
        Resampling r = resampling_of(moved_by(std::vector<double>(shape.size())), shape, shape, f4, {Faces(Bound::constant, beyond)});
        r.by = by;
        EXPECT_TRUE(resampled(r, bytes_of_values(line)) == bytes_of_values(line)) << told(r);
      }
    }
  }
}

double polynomial(double z, double y, double x, int degree) {
  if (degree == 1) return 3 - 2 * x + 0.5 * y + 4 * z - x * y + 0.25 * x * y * z;
  return 1 + x - 2 * y + 0.5 * z + 0.25 * x * x - 0.5 * y * y + z * z + x * y - 0.5 * y * y * x * x;
}

// Over a volume, at places inside by 2 cells.
double worst_of_a_polynomial(ResampleBy by, int degree) {
  const Extents shape = {9, 10, 11};
  std::vector<double> values;
  for (int z = 0; z < 9; ++z)
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 11; ++x) values.push_back(polynomial(z, y, x, degree));
  Resampling r = resampling_of(moved_by({2.375, 2.625, 2.8125}), shape, {4, 5, 6}, f8, {Faces(Bound::reflect)});
  r.by = by;
  const std::vector<double> got = values_of<double>(resampled(r, bytes_of_values(values)));
  double worst = 0;
  for (int z = 0, e = 0; z < 4; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 6; ++x, ++e)
        worst = std::max(worst, std::abs(got[static_cast<std::size_t>(e)] - polynomial(z + 2.375, y + 2.625, x + 2.8125, degree)));
  return worst;
}

TEST(ResampleValues, linear_makes_multilinear_functions_and_cubic_quadratic_ones) {
  EXPECT_EQ(worst_of_a_polynomial(ResampleBy::linear, 1), 0);  // places and values are binary fractions
  EXPECT_LT(worst_of_a_polynomial(ResampleBy::cubic, 2), 1e-11);
  EXPECT_GT(worst_of_a_polynomial(ResampleBy::linear, 2), 0.1);
  EXPECT_GT(worst_of_a_polynomial(ResampleBy::nearest, 1), 0.1);
}

TEST(ResampleValues, nearest_goes_up_at_halves) {
  Resampling r = resampling_of(moved_by({-0.5}), {4}, {5}, f4, {Faces(Bound::constant, 9)});
  r.by = ResampleBy::nearest;
  EXPECT_EQ(values_of<float>(resampled(r, bytes_of_values<float>({1, 2, 3, 4}))), (std::vector<float>{1, 2, 3, 4, 9}));
}

TEST(ResampleValues, integers_are_rounded_half_to_even_and_saturated) {
  const auto halves = [](const std::vector<std::uint8_t>& values, Number to) {
    Resampling r = resampling_of(moved_by({0.5}), {std::ssize(values)}, {std::ssize(values) - 1}, {Number::uint8});
    r.destination_type = {to};
    r.destination = dense(r.destination.extents, r.destination_type);
    return resampled(r, bytes_of_values(values));
  };
  EXPECT_EQ(values_of<std::uint8_t>(halves({0, 1, 2, 3, 255, 254}, Number::uint8)), (std::vector<std::uint8_t>{0, 2, 2, 129, 254}));
  EXPECT_EQ(values_of<float>(halves({0, 1, 2, 3, 255, 254}, Number::float32)), (std::vector<float>{0.5, 1.5, 2.5, 129, 254.5}));
  EXPECT_EQ(values_of<std::int8_t>(halves({0, 1, 2, 3, 255, 254}, Number::int8)), (std::vector<std::int8_t>{0, 2, 2, 127, 127}));
  Resampling cubic = resampling_of(moved_by({1.5}), {4}, {1}, {Number::uint8});
  cubic.by = ResampleBy::cubic;
  EXPECT_EQ(values_of<std::uint8_t>(resampled(cubic, bytes_of_values<std::uint8_t>({0, 255, 255, 0}))), (std::vector<std::uint8_t>{255}));
  EXPECT_EQ(values_of<std::uint8_t>(resampled(cubic, bytes_of_values<std::uint8_t>({255, 0, 0, 255}))), (std::vector<std::uint8_t>{0}));
}

TEST(ResampleValues, what_is_not_finite_or_too_far_is_nodata) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> q = {nan, inf, -inf, 0x1p52, -0x1p52, 1e300, 0x1.fffffp51, -0x1.fffffp51, 1};
  for (const ResampleBy by : all_local) {
    Resampling r = resampling_of(CoordinateField{Layout::dense({1, 9}, 8), Real::float64, q}, {3}, {9}, f4, {Faces(Bound::edge)});
    r.by = by;
    r.nodata = -7;
    EXPECT_EQ(values_of<float>(resampled(r, bytes_of_values<float>({10, 20, 30}))),
              (std::vector<float>{-7, -7, -7, -7, -7, -7, 30, 10, 20}));
    r.nodata = nan;
    EXPECT_TRUE(std::isnan(values_of<float>(resampled(r, bytes_of_values<float>({10, 20, 30})))[0]));
    r.source_type = r.destination_type = {Number::uint8};
    r.source = dense({3}, r.source_type);
    r.destination = dense({9}, r.source_type);
    EXPECT_EQ(values_of<std::uint8_t>(resampled(r, bytes_of_values<std::uint8_t>({10, 20, 30})))[0], 0);
  }
}

TEST(ResampleValues, turns_by_90_degrees_are_moves) {
  const std::int64_t ny = 7, nx = 12;
  const Bytes source = numbers_for(dense({ny, nx}, f4), f4);
  const std::vector<float> in = values_of<float>(source);
  for (const ResampleBy by : all_local) {
    for (const double degrees : {90.0, -90.0, 180.0, 270.0, 0.0, 720.0}) {
      const Extents turned = rotated_extents(degrees, {ny, nx});
      Resampling r = resampling_of(rotation_map(degrees, {ny, nx}, turned), {ny, nx}, turned, f4);
      r.by = by;
      const std::vector<float> got = values_of<float>(resampled(r, source));
      const bool is_quarter = std::fmod(std::abs(degrees), 180) == 90;
      ASSERT_EQ(turned, is_quarter ? (Extents{nx, ny}) : (Extents{ny, nx}));
      for (std::int64_t y = 0; y < turned[0]; ++y) {
        for (std::int64_t x = 0; x < turned[1]; ++x) {
          std::int64_t from = y * nx + x;
          if (degrees == 90) from = x * nx + (nx - 1 - y);  // counterclockwise: the last column comes first
          if (degrees == -90 || degrees == 270) from = (ny - 1 - x) * nx + y;
          if (degrees == 180) from = (ny - 1 - y) * nx + (nx - 1 - x);
          EXPECT_EQ(got[static_cast<std::size_t>(y * turned[1] + x)], in[static_cast<std::size_t>(from)])
              << degrees << " " << y << " " << x;
        }
      }
    }
  }
}

TEST(ResampleValues, zooms_keep_edges_or_centres) {
  const Bytes source = bytes_of_values<float>({0, 10, 20, 30});
  Resampling r = resampling_of(zoom_map({4}, {8}), {4}, {8}, f4);
  EXPECT_EQ(values_of<float>(resampled(r, source)), (std::vector<float>{0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30}));
  r.map = zoom_map({4}, {7}, ZoomKeeps::centres);
  r.destination = dense({7}, f4);
  EXPECT_EQ(values_of<float>(resampled(r, source)), (std::vector<float>{0, 5, 10, 15, 20, 25, 30}));
  r.map = zoom_map({4}, {1}, ZoomKeeps::centres);
  r.destination = dense({1}, f4);
  EXPECT_EQ(values_of<float>(resampled(r, source)), (std::vector<float>{0}));
  r.map = zoom_map({4}, {1});
  EXPECT_EQ(values_of<float>(resampled(r, source)), (std::vector<float>{15}));
  Resampling halves = resampling_of(zoom_map({480, 640}, {240, 320}), {480, 640}, {240, 320}, {Number::uint8});
  EXPECT_EQ(usual_boundary(halves), (std::vector<Faces>{Faces(Bound::edge), Faces(Bound::edge)}));
}

double bump(double y, double x) {
  return std::exp(-((y - 50) * (y - 50) + (x - 60) * (x - 60)) / 400) + 0.3 * std::sin(0.08 * x) * std::cos(0.06 * y);
}

TEST(ResampleValues, polar_coordinates_there_and_back_keep_a_smooth_picture) {
  const Extents picture = {101, 121};
  std::vector<double> values;
  for (int y = 0; y < 101; ++y)
    for (int x = 0; x < 121; ++x) values.push_back(bump(y, x));
  for (const PolarScale scale : {PolarScale::linear, PolarScale::logarithmic}) {
    const Extents polar = {400, 200};
    const std::array<double, 2> centre = {48.5, 60};
    Resampling to = resampling_of(polar_map(PolarMap::Direction::to_polar, polar, centre, 45, scale), picture, polar, f8);
    to.by = ResampleBy::cubic;
    const Bytes there = resampled(to, bytes_of_values(values));
    const std::vector<double> grid = values_of<double>(there);
    EXPECT_NEAR(grid[static_cast<std::size_t>(100 * 200 + 120)],  // 90 degrees: down
                bump(48.5 + (scale == PolarScale::linear ? 120 * 45.0 / 200 : std::pow(45, 0.6)), 60), 1e-4);
    Resampling back = resampling_of(polar_map(PolarMap::Direction::from_polar, polar, centre, 45, scale), polar, picture, f8);
    back.by = ResampleBy::cubic;
    const std::vector<double> again = values_of<double>(resampled(back, there));
    for (int y = 0; y < 101; ++y) {
      for (int x = 0; x < 121; ++x) {
        const double radius = std::hypot(y - centre[0], x - centre[1]), got = again[static_cast<std::size_t>(y * 121 + x)];
        if (radius > 4 && radius < 43) { EXPECT_NEAR(got, bump(y, x), 1e-3) << y << " " << x; }
        if (radius > 46) { EXPECT_EQ(got, 0); }
      }
    }
  }
}

TEST(ResampleValues, splines_go_through_the_samples_and_make_cubic_polynomials) {
  for (const Faces& faces : all_faces) {
    for (const NumberType type : {f4, f8}) {
      for (const Extents& shape : {Extents{1}, Extents{2}, Extents{17}, Extents{5, 9}, Extents{3, 4, 5}}) {
        Resampling r = resampling_of(moved_by(std::vector<double>(shape.size())), shape, shape, type, {faces});
        r.by = ResampleBy::spline;
        const Bytes source = numbers_for(r.source, type), got = resampled(r, source);
        for (std::int64_t e = 0; e < r.source.n_elements(); ++e) {
          double want = 0, have = 0;
          load_line(&want, 1, source.data() + e * r.source.element_bytes, 0, 1, type);
          load_line(&have, 1, got.data() + e * r.source.element_bytes, 0, 1, type);
          EXPECT_NEAR(have, want, type == f4 ? 1e-3 : 1e-11) << told(r);
        }
      }
    }
  }
  std::vector<double> cubic;
  for (int x = 0; x < 200; ++x) cubic.push_back(1e-3 * (x - 90.0) * (x - 100.0) * (x - 105.0));
  Resampling r = resampling_of(moved_by({80.3125}), {200}, {40}, f8, {Faces(Bound::edge)});
  r.by = ResampleBy::spline;
  const std::vector<double> got = values_of<double>(resampled(r, bytes_of_values(cubic)));
  for (int x = 0; x < 40; ++x) {
    const double at = x + 80.3125;
    EXPECT_NEAR(got[static_cast<std::size_t>(x)], 1e-3 * (at - 90) * (at - 100) * (at - 105), 1e-9);
  }
}

}  // namespace
}  // namespace crinkle::resample_values_test
