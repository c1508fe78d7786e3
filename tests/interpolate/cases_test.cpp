// Cases that broke other programs.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "interpolate/cpu/nearest.hpp"
#include "interpolate/support.hpp"

namespace crinkle::cases_test {
namespace {

using namespace testing;
using namespace interpolation;

// A lattice of n × n samples at whole numbers, row by row, whose values are x.
Cloud ramp(std::int64_t n) {
  Cloud c;
  for (std::int64_t y = 0; y < n; ++y) {
    for (std::int64_t x = 0; x < n; ++x) {
      c.places.insert(c.places.end(), {static_cast<double>(x), static_cast<double>(y)});
      c.values.push_back(static_cast<double>(x));
    }
  }
  return c;
}

// OSGeo/gdal#7957: of the samples in a radius the first found counted up to max_points, which moves the map towards where the search began.
TEST(Cases, gdal_7957_the_nearest_count_not_the_first_found) {
  const Cloud c = ramp(40);
  for (const double x : {10.0, 19.5, 30.0}) {
    for (const std::int64_t k : {4, 12}) {  // whole rings around the middle of four samples
      const std::vector<double> at = {x + (x == 19.5 ? 0 : 0.5), 19.5};
      const double got = interpolated<double>(c, at, {.neighbours = k, .radius = 15})[0];
      EXPECT_NEAR(got, at[0], 1e-12) << k << " neighbours at " << at[0];
    }
  }
}

// rspatial/terra#1509: from 101 samples on another way was taken, and its neighbourhood was a square.
TEST(Cases, terra_1509_nothing_changes_beyond_100_samples_and_a_radius_is_a_circle) {
  for (const std::int64_t n : {99, 100, 101, 102, 1000}) {
    const Cloud c = cloud(n, 2);
    const std::vector<double> places = targets_of(c, 40);
    for (const Interpolation& how : {Interpolation{.radius = 0.2}, Interpolation{.neighbours = 9, .radius = 0.2}, Interpolation{}})
      EXPECT_LE(error_of(c, defined(c, places, how), interpolated<double>(c, places, how)), 1e-12) << n << " samples";
  }
  // 200 samples in the corners of the square around the target and beyond its circle, and one in the circle.
  Cloud corners;
  for (int i = 0; i < 200; ++i) {
    const double away = 0.75 + 0.001 * i;
    corners.places.insert(corners.places.end(), {i % 2 == 0 ? away : -away, i % 4 < 2 ? away : -away});
    corners.values.push_back(100);
  }
  corners.places.insert(corners.places.end(), {0.999, 0});
  corners.values.push_back(7);
  EXPECT_EQ(interpolated<double>(corners, {0, 0}, {.radius = 1}), std::vector<double>{7});
}

// gdal#5530: every cell went through all of millions of samples. Here all samples but those near the target are bait once the tree is made:
// they lie on the target, in boxes that are far away. Who looks into such a box finds them. Boxes a little farther than the last neighbour
// are no bait: a search may look into them before it has found as many as it wants.
TEST(Cases, gdal_5530_a_search_goes_through_few_of_many_samples) {
  for (const std::int64_t k : {1, 12, 100}) {
    for (const std::array<double, 3>& q : {std::array<double, 3>{0.5, 0.5, 0}, {0.01, 0.99, 0}, {1.3, 0.4, 0}}) {
      const SamplePlanes samples = cloud(1 << 18, 2).planes();
      KdTree<2> tree(samples, default_executor());
      const auto find = [&] {
        NearestSearch<2> search(tree, k, {}, 1);
        search.find(q);
        return std::vector<Neighbour>(search.found(0).begin(), search.found(0).end());
      };
      const std::vector<Neighbour> want = find();
      std::int64_t n_baits = 0;
      for (std::int64_t leaf = tree.first_leaf(); leaf < std::ssize(tree.boxes()); ++leaf) {
        double square = 0;
        for (std::size_t a = 0; a < 2; ++a)
          square += std::pow(std::max({tree.box(leaf).least[a] - q[a], q[a] - tree.box(leaf).most[a], 0.0}), 2);
        if (std::sqrt(square) <= std::sqrt(want.back().square) + 0.1) continue;
        for (std::int64_t p = tree.leaf(leaf)[0]; p < tree.leaf(leaf)[1]; ++p, ++n_baits) {
          auto& place = const_cast<KdTree<2>::Place&>(tree.place(p));
          for (std::size_t a = 0; a < 2; ++a) place.x[a] = q[a];
        }
      }
      EXPECT_GT(n_baits, samples.n / 10 * 9) << "a search for " << k << " needs few leaves";
      const std::vector<Neighbour> got = find();
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].index, want[i].index) << k << " neighbours, number " << i;
    }
  }
}

}  // namespace
}  // namespace crinkle::cases_test
