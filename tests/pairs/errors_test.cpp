// What calls on pairs refuse, with which words; and that nothing is written then.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "notation/expect_error.hpp"
#include "pairs/support.hpp"

namespace crinkle::pairs_errors_test {
namespace {

using namespace testing;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

TEST(Pairs, words) {
  for (const Metric metric : metrics) EXPECT_EQ(parse_metric(name_of(metric)), metric);
  for (const PairForm form : forms) EXPECT_EQ(parse_pair_form(name_of(form)), form);
  EXPECT_EQ(parse_metric("cityblock"), Metric::manhattan);
  EXPECT_EQ(error_of(ErrorCode::bad_notation, [] { parse_metric("euclid"); }),
            "there is no metric 'euclid'; there are euclidean, sqeuclidean, manhattan, chebyshev and cosine; cityblock is manhattan");
  EXPECT_EQ(error_of(ErrorCode::bad_notation, [] { parse_pair_form("packed"); }),
            "there is no form of distances 'packed'; there are condensed, packed-lower, packed-upper, rfp and square");
}

TEST(Pairs, sizes) {
  for (const auto& [form, n_elements] : {std::pair{PairForm::condensed, 10},
                                         {PairForm::packed_lower, 15},
                                         {PairForm::packed_upper, 15},
                                         {PairForm::rfp, 15},
                                         {PairForm::square, 25}}) {
    EXPECT_EQ(distance_bytes(5, form, Real::float32), 4 * n_elements);
    EXPECT_EQ(distance_bytes(5, form, Real::float64), 8 * n_elements);
    EXPECT_EQ(distance_bytes(0, form, Real::float64), 0);
    error_of(ErrorCode::too_large, [f = form] { distance_bytes(std::int64_t{1} << 33, f, Real::float32); });
    error_of(ErrorCode::bad_shape, [f = form] { distance_bytes(-1, f, Real::float32); });
  }
}

TEST(Pairs, wrong_points_are_refused_and_nothing_is_written) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<float> out(9, -1.0f);
  const Buffer to{out.data(), 36};
  const auto told = [&](ErrorCode code, Points points, Buffer dst) {
    const std::string text = error_of(code, [&] { distances(points, Metric::euclidean, PairForm::square, dst); });
    EXPECT_EQ(out, std::vector<float>(9, -1.0f));
    return text;
  };
  const Points good = points_of(x, 2);
  Points points = good;
  points.n = -1;
  EXPECT_EQ(told(ErrorCode::bad_shape, points, to), "-1 points; give 0 or more");
  points = good, points.n_features = 0;
  EXPECT_EQ(told(ErrorCode::bad_shape, points, to), "0 features of a point; give 1 or more");
  points = good, points.n = 4;
  EXPECT_EQ(told(ErrorCode::bad_shape, points, to), "the points have 24 bytes; the distance table touches bytes 0 to 32");
  points = good, points.data.data = nullptr;
  EXPECT_EQ(told(ErrorCode::bad_shape, points, to), "the points have 24 bytes at no address; the distance table touches bytes 0 to 24");
  EXPECT_EQ(told(ErrorCode::bad_shape, good, {out.data(), 35}), "the distances have 35 bytes; the distance table touches bytes 0 to 36");
  for (const std::int64_t n : {most, std::int64_t{1} << 33, std::int64_t{5000000000}}) {
    points = good, points.n = n, points.data.bytes = most, points.n_features = 1;
    told(ErrorCode::too_large, points, to);
  }
  points = good, points.n_features = most;
  told(ErrorCode::too_large, points, to);

  std::vector<float> both(12, 0.5f);
  points = {{both.data(), 24}, Real::float32, 3, 2};
  EXPECT_EQ(error_of(ErrorCode::overlap, [&] { distances(points, Metric::euclidean, PairForm::condensed, {both.data() + 5, 12}); }),
            "the points and the distances share 4 bytes; of 24 read and 12 written; this distance table needs them apart");
  distances(points, Metric::euclidean, PairForm::condensed, {both.data() + 6, 12});
  EXPECT_EQ(both[6], 0);
}

TEST(Pairs, no_points_and_one_are_legal) {
  const std::vector<double> x = {1, 2};
  double out = -1;
  for (const PairForm form : forms) {
    distances({{nullptr, 0}, Real::float64, 0, 2}, Metric::cosine, form, {nullptr, 0});
    distances(points_of(x, 2), Metric::euclidean, form, {&out, distance_bytes(1, form, Real::float64)});
    EXPECT_EQ(out, form == PairForm::condensed ? -1 : 0);
  }
  EXPECT_EQ(count_collisions({points_of(x, 2), buffer_of(x)}), 0);
  EXPECT_EQ(count_collisions({{{}, Real::float32, 0, 3}, {}}), 0);
  EXPECT_EQ(triplet_energy({{}, Real::float64, 0, 3}), 0);
}

TEST(Pairs, wrong_spheres_and_triplets_are_refused) {
  const std::vector<double> x(12), r(3);
  EXPECT_EQ(error_of(ErrorCode::bad_shape, [&] { count_collisions({points_of(x, 4), buffer_of(r)}); }),
            "spheres in 4 dimensions; collisions are found in 1, 2 and 3");
  EXPECT_EQ(error_of(ErrorCode::bad_shape, [&] { count_collisions({points_of(x, 3), buffer_of(r)}); }),
            "the radii have 24 bytes; the collision search touches bytes 0 to 32");
  EXPECT_EQ(error_of(ErrorCode::bad_shape, [&] { find_collisions({points_of(x, 0 + 3), {}}, {}); }),
            "the radii have 0 bytes at no address; the collision search touches bytes 0 to 32");
  const std::vector<float> places = {0, 1e20F}, wide = {1, 2e38F};
  EXPECT_EQ(error_of(ErrorCode::too_large, [&] { count_collisions({points_of(places, 1), buffer_of(wide)}); }),
            "radius 1 is 2e+38, whose sum with another one may be beyond float32; give larger units");
  error_of(ErrorCode::too_large, [&] { count_collisions({{{x.data(), most}, Real::float64, 5000000000, 1}, {r.data(), most}}); });
  EXPECT_EQ(error_of(ErrorCode::bad_shape, [&] { triplet_energy(points_of(x, 2)); }),
            "2 features of a point; the energy of triplets is of points in 3 dimensions");
  EXPECT_EQ(error_of(ErrorCode::too_large, [&] { triplet_energy({{x.data(), most}, Real::float64, 2097153, 3}); }),
            "the triplets of 2097153 points; give at most 2097152");
  EXPECT_EQ(error_of(ErrorCode::bad_shape, [&] { triplet_energy({{x.data(), 8}, Real::float64, 4, 3}); }),
            "the points have 8 bytes; the triplet sum touches bytes 0 to 96");
}

}  // namespace
}  // namespace crinkle::pairs_errors_test
