// Collisions on a CPU against the definition, on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "notation/expect_error.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/reference.hpp"
#include "pairs/support.hpp"
#include "support/threads.hpp"

namespace crinkle::pairs_collisions_test {
namespace {

using namespace testing;

template <class T>
struct Cloud {
  std::vector<T> centres, radii;
  std::int64_t n_dims;

  Cloud(std::int64_t n, std::int64_t dims, double reach, std::uint64_t seed) : n_dims(dims) {
    std::mt19937_64 random(seed);
    const auto draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    for (std::int64_t k = 0; k < n * dims; ++k) centres.push_back(static_cast<T>(draw()));
    for (std::int64_t k = 0; k < n; ++k) radii.push_back(static_cast<T>(k % 5 == 0 ? 0 : reach * draw()));
    for (std::int64_t k = dims; k < n * dims; k += 7 * dims) std::copy_n(centres.begin(), dims, centres.begin() + k);  // some in one place
  }
  Spheres spheres() const { return {points_of(centres, n_dims), buffer_of(radii)}; }
};

std::vector<Collision> found(const Spheres& spheres, Executor& executor, const simd::PairKernels& kernels) {
  const PairLimits limits{0, 0};
  const std::int64_t n = run_count(spheres, executor, kernels, limits);
  std::vector<Collision> pairs(static_cast<std::size_t>(n) + 2, Collision{-1, -1});
  EXPECT_EQ(run_find(spheres, std::span(pairs).first(static_cast<std::size_t>(n) + 1), executor, kernels, limits), n);
  EXPECT_EQ(pairs[static_cast<std::size_t>(n)], (Collision{-1, -1}));
  pairs.resize(static_cast<std::size_t>(n));
  return pairs;
}

template <class T>
void compare(std::int64_t n, double reach) {
  for (const std::int64_t n_dims : {1, 2, 3}) {
    const Cloud<T> cloud(n, n_dims, reach, static_cast<std::uint64_t>(n + n_dims));
    const std::vector<Collision> want = reference_collisions(cloud.spheres());
    int n_threads = static_cast<int>(n % 3);
    for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
      Threads threads(1 + n_threads++ % 7);
      EXPECT_EQ(found(cloud.spheres(), threads, *kernels), want) << n << " spheres in " << n_dims << " dimensions on " << kernels->target;
    }
  }
}

TEST(Collisions, are_as_defined_for_any_number_of_spheres) {
  for (std::int64_t n = 0; n <= 70; ++n) {
    compare<float>(n, 0.2);
    compare<double>(n, 0.05);
  }
}

TEST(Collisions, are_as_defined_few_many_and_all) {
  for (const double reach : {0.0, 0.001, 0.1, 2.0}) {
    compare<float>(300, reach);
    compare<double>(257, reach);
  }
}

// More spheres than a piece of the planes holds.
TEST(Collisions, are_as_defined_in_several_pieces) {
  const Cloud<float> cloud(5000, 3, 0.02, 1);
  Threads threads(3);
  EXPECT_EQ(found(cloud.spheres(), threads, simd::PairKernels::best()), reference_collisions(cloud.spheres()));
}

TEST(Collisions, nan_collides_with_nothing_and_what_overflows_is_far) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), most = std::numeric_limits<float>::max();
  const std::vector<float> x = {0, nan, 0, most, -most}, r = {1, 1, 1, 1, 1};
  const Spheres spheres{points_of(x, 1), buffer_of(r)};
  for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
    Threads threads(1);
    EXPECT_EQ(found(spheres, threads, *kernels), (std::vector<Collision>{{0, 2}})) << kernels->target;
  }
}

TEST(Collisions, a_list_that_is_too_small_stays_as_it_is) {
  const std::vector<float> x = {0, 1, 2, 10}, r = {1, 1, 1, 1};
  const Spheres spheres{points_of(x, 1), buffer_of(r)};
  EXPECT_EQ(count_collisions(spheres), 3);
  std::vector<Collision> pairs(3, Collision{-1, -1});
  EXPECT_EQ(error_of(ErrorCode::bad_shape, [&] { find_collisions(spheres, std::span(pairs).first(2)); }),
            "3 pairs collide, and the list has room for 2; give it room for 3");
  EXPECT_EQ(pairs, std::vector<Collision>(3, Collision{-1, -1}));
  EXPECT_EQ(find_collisions(spheres, pairs), 3);
  EXPECT_EQ(pairs, (std::vector<Collision>{{0, 1}, {0, 2}, {1, 2}}));
  const std::vector<float> none = {0, 0, 0, 0};
  EXPECT_EQ(find_collisions({points_of(x, 1), buffer_of(none)}, {}), 0);
}

TEST(Collisions, radii_are_finite_and_not_negative) {
  const std::vector<double> x = {0, 1, 2};
  const auto told = [&](double radius) {
    const std::vector<double> r = {1, radius, -1};
    return error_of(ErrorCode::bad_shape, [&] { count_collisions({points_of(x, 1), buffer_of(r)}); });
  };
  EXPECT_EQ(told(-0.5), "radius 1 is -0.5; radii are 0 or more, and finite");
  EXPECT_EQ(told(std::numeric_limits<double>::infinity()), "radius 1 is inf; radii are 0 or more, and finite");
  EXPECT_EQ(told(-std::numeric_limits<double>::quiet_NaN()).substr(0, 11), "radius 1 is");
  EXPECT_EQ(told(-1e-200), "radius 1 is -1e-200; radii are 0 or more, and finite");
}

}  // namespace
}  // namespace crinkle::pairs_collisions_test
