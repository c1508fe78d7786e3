// Samples on one place: each counts as their mean, however few neighbours count and in whatever order they were given.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "interpolate/cpu/nearest.hpp"
#include "interpolate/shared_places.hpp"
#include "interpolate/support.hpp"
#include "support/threads.hpp"

namespace crinkle::duplicates_test {
namespace {

using namespace testing;

// The samples of c in another order.
Cloud shuffled(const Cloud& c, Random& random) {
  std::vector<std::size_t> order(static_cast<std::size_t>(c.n()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random() * static_cast<double>(i))]);
  Cloud to{c.n_dimensions, c.n_columns, {}, {}, {}};
  const auto d = static_cast<std::size_t>(c.n_dimensions), m = static_cast<std::size_t>(c.n_columns);
  for (const std::size_t i : order) {
    for (std::size_t a = 0; a < d; ++a) to.places.push_back(c.places[i * d + a]);
    for (std::size_t k = 0; k < m; ++k) to.values.push_back(c.values[i * m + k]);
    if (!c.weights.empty()) to.weights.push_back(c.weights[i]);
  }
  return to;
}

std::vector<double> distinct_places(const Cloud& c) {
  std::vector<std::vector<double>> all;
  const auto d = static_cast<std::size_t>(c.n_dimensions);
  for (std::size_t i = 0; i < c.places.size(); i += d)
    all.emplace_back(c.places.begin() + static_cast<std::ptrdiff_t>(i), c.places.begin() + static_cast<std::ptrdiff_t>(i + d));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<double> places;
  for (const std::vector<double>& x : all) places.insert(places.end(), x.begin(), x.end());
  return places;
}

TEST(Duplicates, a_hit_is_the_mean_of_all_however_few_neighbours_count) {
  const Cloud six{2, 1, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 4, 5}, {3, 3, 3, 3, 3, 9, 6}, {}};
  for (const std::int64_t k : {1, 2, 3, 5, 6, 7, 0})
    EXPECT_EQ(interpolated<double>(six, {1, 2}, {.neighbours = k}), std::vector<double>{4}) << k;
  Cloud weighted = six;
  weighted.weights = {1, 1, 1, 1, 1, 5, 1};
  for (const std::int64_t k : {1, 2, 6}) EXPECT_EQ(interpolated<double>(weighted, {1, 2}, {.neighbours = k}), std::vector<double>{6}) << k;
  EXPECT_EQ(interpolated<double>(six, {2, 2}, {.neighbours = 2}), std::vector<double>{4});  // beside the place
  // As many as before have to count.
  const Interpolation at_least{.neighbours = 2, .least_neighbours = 3, .nodata = -1};
  EXPECT_EQ(interpolated<double>(six, {1, 2}, at_least), std::vector<double>{-1});
  EXPECT_EQ(interpolated<double>(six, {1, 2}, {.smoothing = 1, .neighbours = 2}), std::vector<double>{4});
}

TEST(Duplicates, every_hit_is_as_defined) {
  for (const int d : {2, 3}) {
    for (const std::int64_t n_columns : {1, 3}) {
      Cloud c = cloud(600, d, Spread::duplicates, n_columns);
      const std::vector<double> places = distinct_places(c);
      Random random(5);
      for (const bool has_weights : {false, true}) {
        for (std::int64_t i = 0; i < c.n() && has_weights; ++i) c.weights.push_back(0.1 + random());
        for (const std::int64_t k : {1, 2, 7, 60}) {
          for (const int sectors : {1, 8}) {
            const Interpolation how{.neighbours = k, .sectors = sectors, .anisotropy = {d == 2 ? 2.0 : 1.0, 30}};
            EXPECT_LE(error_of(c, defined(c, places, how), interpolated<double>(c, places, how)), 1e-12) << d << "-D, k = " << k;
          }
        }
      }
    }
  }
}

TEST(Duplicates, every_target_beside_them_is_as_defined) {
  for (const int d : {2, 3}) {
    Cloud c = cloud(300, d, Spread::duplicates, 2);
    const std::vector<double> places = targets_of(c, 60);
    Random random(5);
    for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(0.1 + random());
    for (const std::int64_t k : {1, 7, 60, 100})
      EXPECT_LE(error_of(c, defined(c, places, {.neighbours = k}), interpolated<double>(c, places, {.neighbours = k})), 1e-12) << k;
  }
}

TEST(Duplicates, threads_change_nothing) {
  const Cloud c = cloud(20000, 3, Spread::duplicates);
  const std::vector<double> places = distinct_places(c);
  Threads one(1), three(3);
  const std::vector<double> want = interpolated<double>(c, places, {.neighbours = 1}, one);
  for (int times = 0; times < 3; ++times) EXPECT_EQ(want, interpolated<double>(c, places, {.neighbours = 1}, three));
}

TEST(Duplicates, are_counted) {
  const Cloud c{2, 1, {0.0, -0.0, -0.0, 0.0, 3, 3, 1, 2, 1, 2, 1, 2}, {1, 3, 9, 2, 2, 2}, {}};
  EXPECT_EQ(count_coincident(c.samples()), 5);
  EXPECT_EQ(count_coincident(cloud(3000, 3).samples()), 0);
}

TEST(Duplicates, zero_has_no_sign) {
  const Cloud c{2, 1, {0.0, -0.0, -0.0, 0.0, 3, 3}, {1, 3, 9}, {}};
  EXPECT_EQ(interpolated<double>(c, {0, 0}, {.neighbours = 1}), std::vector<double>{2});
}

TEST(Duplicates, the_order_of_the_samples_changes_roundings_only) {
  const Cloud c = cloud(600, 2, Spread::duplicates);
  std::vector<double> places = distinct_places(c);
  for (const double x : targets_of(c, 60)) places.push_back(x);
  Random random(11);
  for (const std::int64_t k : {1, 5, 12}) {
    const std::vector<double> want = interpolated<double>(c, places, {.neighbours = k});
    for (int times = 0; times < 3; ++times)
      EXPECT_LE(error_of(c, want, interpolated<double>(shuffled(c, random), places, {.neighbours = k})), 1e-13) << "k = " << k;
  }
}

// Where no two distances are alike, everything is.
TEST(Nearest, the_order_of_the_samples_changes_no_neighbour) {
  const Cloud c = cloud(500, 2);
  const std::vector<double> places = targets_of(c, 60);
  Random random(3);
  for (const Interpolation& how : {Interpolation{.neighbours = 12}, Interpolation{.power = 3, .neighbours = 4, .sectors = 8},
                                   Interpolation{.radius = 0.1}, Interpolation{}}) {
    const std::vector<double> want = interpolated<double>(c, places, how);
    for (int times = 0; times < 3; ++times) EXPECT_LE(error_of(c, want, interpolated<double>(shuffled(c, random), places, how)), 1e-12);
  }
}

TEST(Duplicates, cross_validation_predicts_from_all_others_on_the_place) {
  const Cloud c{2, 1, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 9, 9}, {3, 3, 3, 3, 8, 1}, {}};
  // Each 3 from {3, 3, 3, 8}, the 8 from four times 3; the far one from one of the five, which stands for all: 4.
  const double want = std::sqrt((4 * 1.25 * 1.25 + 5 * 5 + 3 * 3) / 6.0);
  const std::vector<double> powers = {2};
  const std::vector<std::int64_t> one = {1};
  EXPECT_NEAR(cross_validate(c.samples(), {}, powers, one)[0].rmse, want, 1e-14);
}

TEST(Duplicates, cross_validation_with_smoothing_and_weights_is_as_defined) {
  for (const int d : {2, 3}) {
    Cloud c = cloud(150, d, Spread::duplicates);
    Random random(17);
    for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(0.1 + random());
    for (const double smoothing : {0.0, 0.3}) {
      for (const std::int64_t k : {1, 3, 40}) {
        const Interpolation how{.smoothing = smoothing, .neighbours = k, .sectors = k == 3 ? 8 : 1};
        const auto planes = c.planes();
        double squares = 0;
        for (std::int64_t i = 0; i < c.n(); ++i)
          squares += std::pow(
              interpolation::reference_value(planes, how, 0, planes.place(i), i) - planes.values[0][static_cast<std::size_t>(i)], 2);
        const double want = std::sqrt(squares / static_cast<double>(c.n()));
        const std::vector<double> powers = {2};
        const std::vector<std::int64_t> neighbours = {k};
        EXPECT_NEAR(cross_validate(c.samples(), how, powers, neighbours)[0].rmse, want, 1e-11 * want) << d << "-D, k = " << k;
      }
    }
  }
}

// 0.1 + 0.1 + 0.1 is not 0.3, and a sum less 1e9 has lost what it was before.
TEST(Duplicates, the_others_on_a_place_have_their_mean_exactly_where_they_are_alike) {
  for (std::size_t odd = 0; odd < 7; ++odd) {
    Cloud c{2, 2, {}, {}, {}};
    for (std::size_t i = 0; i < 7; ++i) {
      c.places.insert(c.places.end(), {1, 2});
      c.values.insert(c.values.end(), {i == odd ? 1e9 : 0.1, static_cast<double>(i)});
      c.weights.push_back(0.1 + static_cast<double>(i));
    }
    const auto planes = c.planes();
    const auto others = interpolation::SharedPlaces(planes, default_executor()).others(planes);
    EXPECT_EQ(others.values[0][odd], 0.1) << odd;
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      if (i == odd) continue;
      sum += c.weights[i] * static_cast<double>(i);
      weights += c.weights[i];
    }
    EXPECT_NEAR(others.values[1][odd], sum / weights, 1e-14) << odd;
    EXPECT_NEAR(others.weights[odd], weights / 6, 1e-14) << odd;
  }
}

TEST(Duplicates, no_more_of_a_place_are_kept_than_may_count) {
  const Cloud c{2, 1, {1, 1, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 2, 2}, {1, 2, 4, 3, 6, 8, 5}, {}};
  const auto planes = c.planes();
  const interpolation::SharedPlaces shared(planes, default_executor(), 2);
  EXPECT_EQ(shared.n_members(), 6);
  const auto merged = shared.merged(planes);
  EXPECT_EQ(merged.values[0], (std::vector<double>{1, 5, 5, 4, 4}));
  EXPECT_EQ(merged.places[0], (std::vector<double>{1, 0, 0, 2, 2}));
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < c.n(); ++i) numbers.push_back(shared.kept_number(i));
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{0, 1, 2, 3, -1, -1, 4}));
  EXPECT_EQ(shared.sample_of(4), 6);
}

}  // namespace
}  // namespace crinkle::duplicates_test
