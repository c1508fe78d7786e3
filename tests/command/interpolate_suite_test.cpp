// The suite `interpolate`: every case has a name of its own, and what stands in a row is checked.
// SPDX-License-Identifier: BSD-3-Clause
#include "suites/interpolate.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "suites/suites.hpp"

namespace crinkle::bench::interpolate_suite_test {
namespace {

TEST(InterpolateSuite, every_case_has_a_name_of_its_own) {
  const std::unique_ptr<Site> site = cpu_site(std::shared_ptr<Executor>(make_executor(2)));
  const Effort effort;
  std::set<std::string> names;
  for (const Entry& e : interpolate_entries({*site, effort, nullptr})) EXPECT_TRUE(names.insert(e.name).second) << e.name;
  for (const char* name : {"full_sum_float32_p2_n16384", "tree_t1e-3_n131072", "radius_n100000", "resample_cubic_zoom_1024"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(InterpolateSuite, sums_are_checked_and_so_is_what_stands_beside_them) {
  const std::unique_ptr<Site> site = cpu_site(std::shared_ptr<Executor>(make_executor(2)));
  site->reserve({3 * 300 * 8, 3 * 300 * 8});
  const auto cloud = std::make_shared<const Cloud>(300, 200, 7);
  for (const Real type : {Real::float32, Real::float64}) {
    int n_told = 0;
    const Contest contest = sums_contest("sums", cloud, type, 3, *site, 5, [&](const std::vector<double>& wanted) {
      ++n_told;
      ASSERT_EQ(std::ssize(wanted), 200);
      EXPECT_NEAR(wanted[77], cloud->value_at(77, 3), 1e-12);
    });
    contest.check();
    EXPECT_EQ(n_told, 1);
    ASSERT_EQ(contest.ways.size(), 2U);
    EXPECT_EQ(contest.ways[0].name, "crinkle");
    EXPECT_EQ(contest.ways[1].fact, "copy_seconds");
    EXPECT_EQ(contest.units, 300 * 200);
  }
  EXPECT_NO_THROW(expect_near("sums", {1, 2}, {1, 2.5}, 0.5));
  EXPECT_THROW(expect_near("sums", {1, 2}, {1, 2.6}, 0.5), std::runtime_error);
}

TEST(InterpolateSuite, maps_bins_and_resampled_arrays_are_checked) {
  const std::unique_ptr<Site> site = cpu_site(std::shared_ptr<Executor>(make_executor(2)));
  const Effort effort;
  std::set<std::string> left = {"nearest_k12_tracks_n100000", "radius_n100000", "grid_n1000000", "resample_linear_polar_1024"};
  for (const Entry& e : map_entries({*site, effort, nullptr})) {
    if (left.erase(e.name) == 0) continue;
    site->reserve(e.arrays);
    EXPECT_NO_THROW(e.make(*site, 5).check()) << e.name;
  }
  EXPECT_TRUE(left.empty()) << *left.begin();
}

}  // namespace
}  // namespace crinkle::bench::interpolate_suite_test
