// Coordinates that rational numbers say are whole, or half-way between two elements, are so; those of an array are taken as they are.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <numbers>

#include "resample/check.hpp"
#include "resample/places.hpp"
#include "resample/resamplings.hpp"

namespace crinkle::resample_decimals_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

resampling::FormMap map_of(const CoordinateMap& map, const Extents& source, const Extents& destination) {
  return resampling::form_of(resampling::checked(resampling_of(map, source, destination, f8))).map;
}

/// q = numerator / denominator: whole or half where that is, and else not.
void expect_rational(double q, std::int64_t numerator, std::int64_t denominator, const std::string& what) {
  const double exact = static_cast<double>(numerator) / static_cast<double>(denominator);
  if (2 * numerator % denominator == 0) {
    EXPECT_EQ(q, exact) << what;
  } else {
    EXPECT_NEAR(q, exact, 1e-12 * (1 + std::abs(exact))) << what;
    EXPECT_NE(2 * q, std::round(2 * q)) << what;
  }
}

TEST(ResampleDecimals, zooms_are_rational) {
  for (std::int64_t in = 1; in < 45; ++in) {
    for (const std::int64_t out : {1, 2, 3, 5, 6, 7, 9, 11, 13, 21, 27, 30, 33, 49, 77, 99, 121, 300, 1001}) {
      const auto edges = map_of(zoom_map({in}, {out}), {in}, {out});
      const auto centres = map_of(zoom_map({in}, {out}, ZoomKeeps::centres), {in}, {out});
      for (std::int64_t p = 0; p < out; ++p) {
        const std::string what = std::to_string(in) + " to " + std::to_string(out) + ", element " + std::to_string(p);
        double q[resampling::slots] = {};
        resampling::coordinates(edges, &p, q);
        expect_rational(q[0], (2 * p + 1) * in - out, 2 * out, what);
        resampling::coordinates(centres, &p, q);
        expect_rational(q[0], p * (in - 1), std::max<std::int64_t>(1, out - 1), what + ", centres");
      }
    }
  }
}

TEST(ResampleDecimals, zoomed_elements_that_lie_on_data_are_data) {
  for (const std::int64_t factor : {3, 7, 9, 11}) {
    for (const ResampleBy by : {ResampleBy::linear, ResampleBy::cubic}) {
      const std::int64_t n = 40, m = factor * n;
      std::vector<float> line;
      for (std::int64_t i = 0; i < n; ++i) line.push_back(i % 2 == 0 ? static_cast<float>(i) : static_cast<float>(nan));
      Resampling r = resampling_of(zoom_map({n}, {m}), {n}, {m}, f4, {Faces(Bound::constant, nan)});
      r.by = by;
      const std::vector<float> got = values_of<float>(resampled(r, bytes_of_values(line)));
      for (std::int64_t i = 0; i < n; i += 2)
        EXPECT_EQ(got[static_cast<std::size_t>(factor * i + factor / 2)], line[static_cast<std::size_t>(i)]) << factor << " " << i;
    }
  }
}

TEST(ResampleDecimals, the_nearest_of_two_is_the_upper_one_whatever_is_rounded) {
  for (std::int64_t in = 1; in < 40; ++in) {
    for (const std::int64_t out : {2, 6, 10, 14, 22, 42, 66, 103, 107, 110, 119, 134}) {
      std::vector<double> line;
      for (std::int64_t i = 0; i < in; ++i) line.push_back(static_cast<double>(i));
      Resampling r = resampling_of(zoom_map({in}, {out}), {in}, {out}, f8);
      r.by = ResampleBy::nearest;
      const std::vector<double> got = values_of<double>(resampled(r, bytes_of_values(line)));
      for (std::int64_t p = 0; p < out; ++p) EXPECT_EQ(got[static_cast<std::size_t>(p)], (2 * p + 1) * in / (2 * out)) << in << " " << out;
    }
  }
}

TEST(ResampleDecimals, the_middle_of_a_turned_plane_stays) {
  for (const std::int64_t n : {3, 41, 1001}) {
    for (int degrees = -720; degrees < 720; degrees += 7) {
      const Extents plane = {n, n + 10}, turned = {2 * n + 1, 2 * n + 21};
      const auto map = map_of(rotation_map(degrees, plane, turned), plane, turned);
      const std::int64_t p[] = {n, n + 10};
      double q[resampling::slots] = {};
      resampling::coordinates(map, p, q);
      EXPECT_EQ(q[0], static_cast<double>(n - 1) / 2) << degrees;
      EXPECT_EQ(q[1], static_cast<double>(n + 9) / 2) << degrees;
    }
  }
}

TEST(ResampleDecimals, polar_axes_are_rows_and_columns) {
  for (const std::int64_t angles : {4, 12, 24, 360, 1000}) {
    for (const double centre : {0.0, 0.5, 10.0, 1000.0}) {
      const Extents polar = {angles, 20}, plane = {2048, 2048};
      const auto to = map_of(polar_map(PolarMap::Direction::to_polar, polar, {centre, centre}, 20), plane, polar);
      const auto from = map_of(polar_map(PolarMap::Direction::from_polar, polar, {centre, centre}, 20), polar, plane);
      for (std::int64_t quarter = 0; quarter < 4; ++quarter) {
        for (std::int64_t r = 0; r < 20; ++r) {
          const std::int64_t p[] = {quarter * angles / 4, r};
          const auto radius = static_cast<double>(r);
          const double y = centre + (quarter == 1 ? radius : quarter == 3 ? -radius : 0);
          const double x = centre + (quarter == 0 ? radius : quarter == 2 ? -radius : 0);
          double q[resampling::slots] = {};
          resampling::coordinates(to, p, q);
          EXPECT_EQ(q[0], y) << angles << " " << centre << " " << quarter << " " << r;
          EXPECT_EQ(q[1], x) << angles << " " << centre << " " << quarter << " " << r;
          if (r == 0 || centre == 0.5) continue;
          const std::int64_t back[] = {static_cast<std::int64_t>(y), static_cast<std::int64_t>(x)};
          resampling::coordinates(from, back, q);
          EXPECT_EQ(q[0], static_cast<double>(p[0])) << angles << " " << centre << " " << quarter << " " << r;
          EXPECT_EQ(q[1], radius) << angles << " " << centre << " " << quarter << " " << r;
        }
      }
    }
  }
}

TEST(ResampleDecimals, given_coordinates_are_taken_as_they_are) {
  const std::vector<double> q = {0.9999999999999999, 1, 1.0000000000000002, 1.4999999999999998, 1.5};
  const CoordinateField field{Layout::dense({1, 5}, 8), Real::float64, q};
  Resampling r = resampling_of(field, {4}, {5}, f8, {Faces(Bound::constant, nan)});
  const std::vector<double> line = {nan, 1, 2, 3};
  const std::vector<double> linear = values_of<double>(resampled(r, bytes_of_values(line)));
  EXPECT_TRUE(std::isnan(linear[0]));
  EXPECT_EQ(linear[1], 1);
  EXPECT_EQ(linear[2], 1.0000000000000002);
  r.by = ResampleBy::nearest;
  EXPECT_EQ(values_of<double>(resampled(r, bytes_of_values(line))), (std::vector<double>{1, 1, 1, 1, 2}));
  AffineMap moved;
  moved.offset[0] = 0.9999999999999999;  // computed: within 4 ulp of 1
  EXPECT_EQ(values_of<double>(resampled(resampling_of(moved, {4}, {2}, f8), bytes_of_values(line))), (std::vector<double>{1, 2}));
}

TEST(ResampleDecimals, places_on_the_ground_are_as_exact_as_their_size_lets_them) {
  AffineMap thirds;  // of cells of 10 at 500000 and 500003.3333…
  thirds.matrix[0][0] = 1.0 / 3;
  thirds.offset[0] = (500003.3333333333 - 500000) / 10 + 1.0 / 6 - 0.5;
  const std::int64_t p = 3;
  double q[resampling::slots] = {};
  resampling::coordinates(map_of(thirds, {9}, {9}), &p, q);
  EXPECT_NE(q[0], 1);
  thirds.size[0] = 50000.3;
  resampling::coordinates(map_of(thirds, {9}, {9}), &p, q);
  EXPECT_EQ(q[0], 1);
}

}  // namespace
}  // namespace crinkle::resample_decimals_test
