// The nearest samples, and sums over them, against brute force on every spread of samples.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "interpolate/cpu/nearest.hpp"
#include "interpolate/shared_places.hpp"
#include "interpolate/support.hpp"
#include "support/threads.hpp"

namespace crinkle::nearest_test {
namespace {

using namespace testing;
using namespace interpolation;

template <int n_dimensions>
void expect_nearest(const Cloud& c, const std::vector<double>& places, const Interpolation& how, const std::string& what) {
  const SamplePlanes planes = c.planes();
  const Frame frame(how.anisotropy, planes);
  const SamplePlanes in_frame = frame.of(planes);
  const KdTree<n_dimensions> tree(in_frame, default_executor());
  NearestSearch<n_dimensions> search(tree, how.neighbours, reach_of(how.radius, in_frame), how.sectors);
  for (std::int64_t t = 0; t < std::ssize(places) / n_dimensions; ++t) {
    const std::int64_t left_out = t % 5 == 4 ? t % c.n() : -1;
    const auto q = place(places, n_dimensions, t);
    search.find(frame.of(q), left_out);
    std::vector<std::int64_t> got;
    for (int s = 0; s < how.sectors; ++s)
      for (const Neighbour& neighbour : search.found(s)) got.push_back(neighbour.index);
    ASSERT_EQ(got, reference_neighbours(planes, how, q, left_out)) << what << ", target " << t;
  }
}

std::vector<Interpolation> searches(int n_dimensions, std::int64_t n) {
  std::vector<Interpolation> all;
  for (const std::int64_t k : {1, 2, 12, 47, 48, 49, 100, 0}) {
    for (const double radius : {std::numeric_limits<double>::infinity(), 0.125, 0.01}) {
      for (const int sectors : {1, 4, 8}) {
        for (const double ratio : {1.0, 3.0}) {
          if (k > n || (n_dimensions == 3 && (sectors == 4 || ratio != 1))) continue;
          all.push_back({.neighbours = k, .radius = radius, .sectors = sectors, .anisotropy = {ratio, 30}});
        }
      }
    }
  }
  return all;
}

template <int n_dimensions>
void expect_all_nearest() {
  for (const Spread spread : spreads) {
    for (const std::int64_t n : {1, 2, 8, 9, 33, 500}) {
      const Cloud c = cloud(n, n_dimensions, spread);
      const auto places = targets_of(c, 60);
      for (const Interpolation& how : searches(n_dimensions, n)) {
        expect_nearest<n_dimensions>(c, places, how,
                                     std::to_string(n) + " samples, spread " + std::to_string(static_cast<int>(spread)) +
                                         ", k = " + std::to_string(how.neighbours) + ", radius " + std::to_string(how.radius) +
                                         ", sectors " + std::to_string(how.sectors));
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Nearest, every_search_in_two_dimensions_is_brute_force) { expect_all_nearest<2>(); }
TEST(Nearest, every_search_in_three_dimensions_is_brute_force) { expect_all_nearest<3>(); }

TEST(Nearest, equal_distances_go_to_the_lower_index) {
  const Cloud c{2, 1, {1, 0, 0, 1, -1, 0, 0, -1, 1, 0}, {1, 2, 3, 4, 5}, {}};
  EXPECT_EQ(reference_neighbours(c.planes(), {.neighbours = 3}, {}), (std::vector<std::int64_t>{0, 1, 2}));
  expect_nearest<2>(c, {0, 0}, {.neighbours = 3}, "a cross");
}

// Targets of a raster over and around the samples, so many cells wide.
std::vector<double> cells_of(int n_dimensions, std::int64_t n, double first, double step) {
  std::vector<double> places;
  for (std::int64_t t = 0; t < (n_dimensions == 2 ? n * n : n * n * n); ++t)
    for (std::int64_t a = 0, rest = t; a < n_dimensions; ++a, rest /= n) places.push_back(first + static_cast<double>(rest % n) * step);
  return places;
}

// On a lattice, where many distances are equal, the long axis along y is that along x with x and y exchanged.
TEST(Nearest, equal_distances_stay_equal_under_right_angles) {
  Cloud c = cloud(64, 2, Spread::lattice), turned = c;
  for (std::size_t i = 0; i < c.places.size(); ++i) turned.places[i] = c.places[i ^ 1];
  std::vector<double> places = cells_of(2, 17, 0, 0.0625), turned_places = places;
  for (std::size_t i = 0; i < places.size(); ++i) turned_places[i] = places[i ^ 1];
  const std::vector<double> want = interpolated<double>(turned, turned_places, {.neighbours = 5, .anisotropy = {3, 0}});
  for (const double angle : {90.0, -90.0, 270.0, 450.0})
    EXPECT_EQ(interpolated<double>(c, places, {.neighbours = 5, .anisotropy = {3, angle}}), want) << angle;
  EXPECT_EQ(interpolated<double>(turned, turned_places, {.neighbours = 5, .anisotropy = {3, 180}}), want);
}

// What the search of one target after the other and the same sums give, in float64.
std::vector<double> one_by_one(const Cloud& c, const std::vector<double>& places, const Interpolation& how) {
  const SamplePlanes planes = SharedPlaces(c.planes(), default_executor()).merged(c.planes());
  const std::int64_t n = std::ssize(places) / c.n_dimensions;
  std::vector<double> out(static_cast<std::size_t>(n * c.n_columns), how.nodata);
  for (std::int64_t t = 0; t < n; ++t) {
    const auto q = place(places, c.n_dimensions, t);
    const std::vector<std::int64_t> found = reference_neighbours(planes, how, q);
    if (found.empty() || std::ssize(found) < how.least_neighbours) continue;
    std::vector<double> weights;
    double least = 0, all = 0;
    for (const std::int64_t i : found) {
      double away[3] = {};
      for (std::size_t a = 0; a < static_cast<std::size_t>(c.n_dimensions); ++a) away[a] = planes.place(i)[a] - q[a];
      const double square = (c.n_dimensions == 2 ? square_of<2>(away) : square_of<3>(away)) + how.smoothing * how.smoothing;
      if (weights.empty()) least = square;
      const double ratio = least / square;
      double w = least > 0 ? (how.power == 1 ? std::sqrt(ratio) : how.power == 2 ? ratio : std::pow(ratio, how.power / 2)) : square == 0;
      w *= planes.weight(i);
      weights.push_back(w);
      all += w;
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(c.n_columns); ++k) {
      const std::vector<double>& z = planes.values[k];
      const double zero = z[static_cast<std::size_t>(found[0])];
      double sum = 0;
      for (std::size_t i = 0; i < found.size(); ++i) sum += weights[i] * (z[static_cast<std::size_t>(found[i])] - zero);
      const std::size_t at = k * static_cast<std::size_t>(n) + static_cast<std::size_t>(t);
      out[at] = std::clamp(zero + sum / all, planes.least[k], planes.most[k]);
    }
  }
  return out;
}

void expect_same_bits(const std::vector<double>& want, const std::vector<double>& have, const std::string& what) {
  ASSERT_EQ(want.size(), have.size());
  for (std::size_t k = 0; k < have.size(); ++k) {
    if (std::memcmp(&want[k], &have[k], sizeof(double)) == 0) continue;
    ADD_FAILURE() << what << ": target " << k << " is " << have[k] << ", not " << want[k];
    return;
  }
}

template <int n_dimensions>
void expect_groups() {
  const std::int64_t n_cells = n_dimensions == 2 ? 27 : 9;
  const double step = n_dimensions == 2 ? 0.0625 : 0.1875;
  const Raster raster{.first = {-0.3125, -0.3125, n_dimensions == 2 ? 0 : -0.3125},
                      .step = {step, step, step},
                      .extents = {n_cells, n_cells, n_dimensions == 2 ? 1 : n_cells}};
  const std::vector<double> cells = cells_of(n_dimensions, n_cells, -0.3125, step);
  for (const Spread spread : spreads) {
    for (const std::int64_t n : {1, 7, 16, 17, 700}) {
      Cloud c = cloud(n, n_dimensions, spread, n == 17 ? 3 : 1);
      if (n == 16)
        for (std::int64_t i = 0; i < n; ++i) c.weights.push_back(0.5 + static_cast<double>(i % 3));
      for (const std::int64_t k : {1, 12, 100, 700}) {
        if (k > n) continue;
        for (const Interpolation& how :
             {Interpolation{.neighbours = k}, Interpolation{.power = 1, .smoothing = 0.01, .neighbours = k, .radius = 0.01, .nodata = -9},
              Interpolation{.power = 3.5, .neighbours = k, .radius = 0.3, .least_neighbours = 2}}) {
          const std::string what = std::to_string(n) + " samples, spread " + std::to_string(static_cast<int>(spread)) +
                                   ", k = " + std::to_string(k) + ", radius " + std::to_string(how.radius);
          std::vector<double> got(static_cast<std::size_t>(raster.n_cells() * c.n_columns));
          interpolate(c.samples(), raster, how, std::span<double>(got));
          const std::vector<double> want = one_by_one(c, cells, how);
          expect_same_bits(want, got, what + ", a raster");
          expect_same_bits(want, interpolated<double>(c, cells, how), what + ", places");
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(NearGroups, rasters_and_places_have_the_bits_of_one_search_each_in_two_dimensions) { expect_groups<2>(); }
TEST(NearGroups, rasters_and_places_have_the_bits_of_one_search_each_in_three_dimensions) { expect_groups<3>(); }

TEST(NearGroups, far_targets_and_sudden_clusters_have_theirs) {
  Cloud c = cloud(3000, 2, Spread::clustered);
  for (std::int64_t i = 0; i < 200; ++i) c.places.insert(c.places.end(), {0.5, 0.5}), c.values.push_back(static_cast<double>(i));
  std::vector<double> places = cells_of(2, 40, -2, 0.1), dense = cells_of(2, 30, 0.09, 4e-4), far = cells_of(2, 20, 1e6, 1e3);
  places.insert(places.end(), dense.begin(), dense.end());
  places.insert(places.end(), far.begin(), far.end());
  for (const std::int64_t k : {1, 12, 150, 256, 257}) {
    const Interpolation how{.neighbours = k};
    expect_same_bits(one_by_one(c, places, how), interpolated<double>(c, places, how), "k = " + std::to_string(k));
  }
}

TEST(NearSum, every_spread_power_and_choice) {
  for (const Spread spread : spreads) {
    for (const int n_dimensions : {2, 3}) {
      const Cloud c = cloud(300, n_dimensions, spread, 2);
      const auto places = targets_of(c, 50);
      for (const double p : {0.5, 1.0, 2.0, 2.5, 3.0, 4.0, 16.0}) {
        for (const Interpolation& how :
             {Interpolation{.power = p, .neighbours = 12}, Interpolation{.power = p, .radius = 0.125},
              Interpolation{.power = p, .smoothing = 0.01, .neighbours = 3, .radius = 0.125, .least_neighbours = 2, .sectors = 8}}) {
          EXPECT_LE(error_of(c, defined(c, places, how), interpolated<double>(c, places, how)), 1e-12) << "p = " << p;
          EXPECT_LE(error_of(c, defined(c, places, how), interpolated<float>(c, places, how)), 2e-7) << "p = " << p;
        }
      }
    }
  }
}

TEST(NearSum, anisotropy_stretches_what_lies_across) {
  const Cloud c = cloud(300, 2);
  const auto places = targets_of(c, 80);
  for (const double angle : {0.0, 30.0, 90.0, -200.0}) {
    for (const std::int64_t k : {0, 12, 300}) {
      const Interpolation how{.neighbours = k, .anisotropy = {4, angle}};
      EXPECT_LE(error_of(c, defined(c, places, how), interpolated<double>(c, places, how)), 1e-10) << angle;
    }
  }
  // Two samples, as far away along x as along y: with the long axis along x the first counts more.
  const Cloud two{2, 1, {1, 0, 0, 1}, {1, 0}, {}};
  EXPECT_NEAR(interpolated<double>(two, {0, 0}, {.anisotropy = {2, 0}})[0], 0.8, 1e-15);
  EXPECT_NEAR(interpolated<double>(two, {0, 0}, {.anisotropy = {2, 90}})[0], 0.2, 1e-15);
}

TEST(NearSum, too_few_neighbours_are_nodata) {
  const Cloud c{2, 1, {0, 0, 1, 0}, {1, 2}, {}};
  EXPECT_EQ(interpolated<double>(c, {0.5, 0, 9, 9}, {.radius = 2, .nodata = -9999}), (std::vector<double>{1.5, -9999}));
  EXPECT_EQ(interpolated<double>(c, {0.5, 0, 2.5, 0}, {.radius = 2, .least_neighbours = 2, .nodata = -1}), (std::vector<double>{1.5, -1}));
  EXPECT_EQ(interpolated<double>(c, {0.5, 0}, {.least_neighbours = 3, .nodata = -1}), (std::vector<double>{-1}));
}

TEST(NearSum, all_neighbours_are_the_full_sum) {
  const Cloud c = cloud(200, 2);
  const auto places = targets_of(c, 100);
  const auto a = interpolated<double>(c, places, {}), b = interpolated<double>(c, places, {.neighbours = 200});
  for (std::size_t t = 0; t < a.size(); ++t) EXPECT_NEAR(a[t], b[t], 1e-10);
}

TEST(NearSum, constants_are_exact_and_threads_change_nothing) {
  Cloud c = cloud(500, 2);
  const auto places = targets_of(c, 3000);
  Threads one(1), three(3);
  const Interpolation how{.power = 2.5, .neighbours = 7, .sectors = 4};
  EXPECT_EQ(interpolated<float>(c, places, how, one), interpolated<float>(c, places, how, three));
  std::fill(c.values.begin(), c.values.end(), 0.1);
  for (const double got : interpolated<double>(c, places, how)) EXPECT_EQ(got, 0.1);
}

TEST(NearSum, a_large_vacant_area_has_its_nearest_samples) {
  Cloud c = cloud(400, 2, Spread::clustered);
  const std::vector<double> places = {0.5, 0.5, 1e6, 1e6, -1e9, 0.3, 0.5, -1e3};
  for (const int sectors : {1, 4, 8}) expect_nearest<2>(c, places, {.neighbours = 12, .sectors = sectors}, "vacant");
}

}  // namespace
}  // namespace crinkle::nearest_test
