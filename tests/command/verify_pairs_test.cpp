// What --verify of crinkle pairs finds: any distance that is wrong, any pair that is missing, changed or too many.
// SPDX-License-Identifier: BSD-3-Clause
#include "verifying/verify_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "notation/expect_error.hpp"
#include "pairs/support.hpp"

namespace crinkle::tool::verify_pairs_test {
namespace {

using namespace crinkle::testing;

template <class T>
void find_every_wrong_distance(Metric metric, PairForm form) {
  const std::vector<T> x = numbers<T>(7 * 3, 1);
  const Points points = points_of(x, 3);
  std::vector<T> out(static_cast<std::size_t>(distance_bytes(7, form, points.type)) / sizeof(T));
  const Buffer buffer{out.data(), distance_bytes(7, form, points.type)};
  Executor& executor = default_executor();
  distances(points, metric, form, buffer, executor);
  EXPECT_NO_THROW(verify_distances(points, metric, form, buffer, "d.npy", executor));
  for (T& d : out) {
    const T right = d;
    for (const T wrong :
         {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(), static_cast<T>(right * (1 + T{0x1p-16}) + T{0x1p-16})}) {
      d = wrong;
      const std::string text = error_of(ErrorCode::bad_file, [&] { verify_distances(points, metric, form, buffer, "d.npy", executor); });
      EXPECT_EQ(text.substr(0, 30), "d.npy: the distance of points ") << text;
    }
    d = right;
  }
}

TEST(VerifyPairs, every_wrong_distance_is_found) {
  for (const Metric metric : metrics) {
    for (const PairForm form : forms) {
      find_every_wrong_distance<float>(metric, form);
      find_every_wrong_distance<double>(metric, form);
    }
  }
}

TEST(VerifyPairs, what_is_within_the_bound_is_right) {
  const std::vector<float> x = {0, 0, 3, 4};
  float d = std::nextafter(5.0f, 6.0f);
  const auto verify = [&] {
    verify_distances(points_of(x, 2), Metric::euclidean, PairForm::condensed, {&d, 4}, "d.npy", default_executor());
  };
  EXPECT_NO_THROW(verify());
  d = 5 + 5 * 0x1p-21f;  // five units, and four are promised
  EXPECT_EQ(error_of(ErrorCode::bad_file, verify), "d.npy: the distance of points 0 and 1 is 5.0000024, which is not what it should be, 5");
}

TEST(VerifyPairs, another_list_of_collisions_is_found) {
  const std::vector<double> x = {0, 1, 2, 10}, r = {1, 1, 1, 1};
  const Spheres spheres{points_of(x, 1), buffer_of(r)};
  std::vector<Collision> pairs = {{0, 1}, {0, 2}, {1, 2}};
  EXPECT_NO_THROW(verify_collisions(spheres, pairs, "c.npy"));
  pairs[1].j = 3;
  EXPECT_EQ(error_of(ErrorCode::bad_file, [&] { verify_collisions(spheres, pairs, "c.npy"); }),
            "c.npy: pair 1 of 3 is not what it should be, of 3");
  error_of(ErrorCode::bad_file, [&] { verify_collisions(spheres, {}, "c.npy"); });
  pairs = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  error_of(ErrorCode::bad_file, [&] { verify_collisions(spheres, pairs, "c.npy"); });
}

}  // namespace
}  // namespace crinkle::tool::verify_pairs_test
