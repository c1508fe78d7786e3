// The definition of work on pairs and triplets, by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "pairs/reference.hpp"
#include "pairs/support.hpp"

namespace crinkle::pairs_reference_test {
namespace {

using namespace testing;

template <class T>
std::vector<T> reference(const std::vector<T>& x, std::int64_t n_features, Metric metric, PairForm form) {
  const Points points = points_of(x, n_features);
  std::vector<T> out(static_cast<std::size_t>(distance_bytes(points.n, form, points.type)) / sizeof(T), T{-7});
  reference_distances(points, metric, form, {out.data(), std::ssize(out) * static_cast<std::int64_t>(sizeof(T))});
  return out;
}

TEST(PairsReference, every_metric_of_two_points) {
  const std::vector<double> x = {1, 2, 4, 6};  // (1, 2) and (4, 6)
  EXPECT_EQ(reference(x, 2, Metric::euclidean, PairForm::condensed), (std::vector<double>{5}));
  EXPECT_EQ(reference(x, 2, Metric::sqeuclidean, PairForm::condensed), (std::vector<double>{25}));
  EXPECT_EQ(reference(x, 2, Metric::manhattan, PairForm::condensed), (std::vector<double>{7}));
  EXPECT_EQ(reference(x, 2, Metric::chebyshev, PairForm::condensed), (std::vector<double>{4}));
  EXPECT_NEAR(reference(x, 2, Metric::cosine, PairForm::condensed)[0], 1 - 16 / std::sqrt(5.0 * 52.0), 1e-15);
}

TEST(PairsReference, lengths_matter_to_no_angle) {
  for (const double scale : {1e-300, 1e-160, 1e-80, 1.0, 1e80, 1e160, 1e300}) {
    const std::vector<double> x = {1, 2, 4 * scale, 6 * scale};
    EXPECT_NEAR(reference(x, 2, Metric::cosine, PairForm::condensed)[0], 1 - 16 / std::sqrt(5.0 * 52.0), 1e-15) << scale;
  }
}

TEST(PairsReference, every_form_of_four_points_on_a_line) {
  const std::vector<float> x = {0, 1, 3, 7};
  const auto of = [&](PairForm form) { return reference(x, 1, Metric::manhattan, form); };
  EXPECT_EQ(of(PairForm::condensed), (std::vector<float>{1, 3, 7, 2, 6, 4}));                 // (0,1) (0,2) (0,3) (1,2) (1,3) (2,3)
  EXPECT_EQ(of(PairForm::packed_lower), (std::vector<float>{0, 1, 3, 7, 0, 2, 6, 0, 4, 0}));  // columns of i ≥ j
  EXPECT_EQ(of(PairForm::packed_upper), (std::vector<float>{0, 1, 0, 3, 2, 0, 7, 6, 4, 0}));  // columns of i ≤ j
  EXPECT_EQ(of(PairForm::rfp), (std::vector<float>{0, 0, 1, 3, 7, 4, 0, 0, 2, 6}));  // dtpttf, lower, N: 22 00 10 20 30, 32 33 11 21 31
  EXPECT_EQ(of(PairForm::square), (std::vector<float>{0, 1, 3, 7, 1, 0, 2, 6, 3, 2, 0, 4, 7, 6, 4, 0}));
}

TEST(PairsReference, a_zero_vector_has_no_angle_and_nan_stays) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(reference<double>({0, 0, 1, 2}, 2, Metric::cosine, PairForm::condensed)[0]));
  EXPECT_TRUE(std::isnan(reference<double>({0, 0}, 2, Metric::cosine, PairForm::packed_lower)[0]));
  EXPECT_EQ(reference<double>({1, 1, 1, 1}, 2, Metric::cosine, PairForm::condensed)[0], 0);
  EXPECT_EQ(reference<double>({1, 0, -2, 0}, 2, Metric::cosine, PairForm::condensed)[0], 2);
  for (const Metric metric : metrics) {
    EXPECT_TRUE(std::isnan(reference<double>({nan, 1, 2, 9}, 2, metric, PairForm::condensed)[0]));
    EXPECT_TRUE(std::isnan(reference<double>({3, 1, 2, nan}, 2, metric, PairForm::condensed)[0]));
  }
}

TEST(PairsReference, spheres_that_touch_collide) {
  const std::vector<float> x = {0, 0, 3, 4, 10, 0}, r = {2, 3, 1};  // 5 apart: 2 + 3
  const Spheres spheres{points_of(x, 2), buffer_of(r)};
  EXPECT_EQ(reference_collisions(spheres), (std::vector<Collision>{{0, 1}}));
}

TEST(PairsReference, an_equilateral_triangle_has_eleven_eighths) {
  const std::vector<double> x = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // sides √2, all angles 60°: 1 + 3/8, over (√2)⁹
  EXPECT_NEAR(reference_triplet_energy(points_of(x, 3)), 1.375 / std::pow(2.0, 4.5), 1e-15);
  const std::vector<double> line = {0, 0, 0, 1, 0, 0, 2, 0, 0};  // angles 0, 0, 180°: 1 − 3, over 1·1·8
  EXPECT_EQ(reference_triplet_energy(points_of(line, 3)), -0.25);
}

}  // namespace
}  // namespace crinkle::pairs_reference_test
