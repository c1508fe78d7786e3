// Collisions on a real GPU are found to the last pair, and energies of triplets to rounding.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "points_on_gpu.hpp"

namespace crinkle::testing::pairs_test {
namespace {

template <class T>
void expect_collisions(std::int64_t n, std::int64_t dimensions, double most_radius, T size = 1) {
  std::vector<T> centres = random_numbers<T>(n * dimensions, static_cast<std::uint64_t>(n + dimensions));
  std::vector<T> radii = random_numbers<T>(n, static_cast<std::uint64_t>(n), most_radius);
  for (T& x : centres) x *= size;
  for (std::size_t i = 0; i < radii.size(); ++i) radii[i] *= size != 1 && i % 5 == 0 ? 0 : size;
  const auto spheres = [&](ConstBuffer c, ConstBuffer r) { return Spheres{{c, real<T>, n, dimensions}, r}; };
  const std::int64_t e = sizeof(T);
  const std::vector<Collision> want = reference_collisions(spheres({centres.data(), n * dimensions * e}, {radii.data(), n * e}));
  const OnDevice<T> centres_there(centres, 1), radii_there(radii, 1);
  const Spheres there = spheres(centres_there, radii_there);
  ASSERT_EQ(count_collisions(there, cuda()), std::ssize(want)) << n << " spheres in " << dimensions;
  std::vector<Collision> have(want.size() + 1, Collision{-1, -1});
  const std::int64_t bytes = std::ssize(want) * std::int64_t{sizeof(Collision)};
  const DeviceMemory list(cuda(), bytes + std::int64_t{sizeof(Collision)});
  copy_bytes({have.data(), list.bytes()}, list);
  ASSERT_EQ(find_collisions(there, {list.data(), bytes}, cuda()), std::ssize(want));
  copy_bytes(list, {have.data(), list.bytes()});
  EXPECT_EQ(have.back(), (Collision{-1, -1}));
  have.pop_back();
  EXPECT_EQ(have, want) << n << " spheres in " << dimensions;
  if (want.empty()) return;
  try {
    find_collisions(there, {list.data(), bytes - 1}, cuda());
    FAIL() << "a list that is too small was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_shape);
    EXPECT_NE(std::string(error.what()).find(std::to_string(want.size())), std::string::npos) << error.what();
  }
}

TEST_F(Gpu, records_of_spheres_collide_as_on_a_cpu) {  // a name that the sanitizers run, too
  for (const std::int64_t n : {0, 1, 2, 3, 63, 65, 511, 513, 1100})
    for (const std::int64_t dimensions : {1, 2, 3}) {
      expect_collisions<float>(n, dimensions, 0.02);
      expect_collisions<double>(n, dimensions, 0.02);
    }
  expect_collisions<float>(700, 3, 10);  // all of them
}

TEST_F(Gpu, spheres_of_any_size_collide_as_on_a_cpu) {
  for (const std::int64_t dimensions : {1, 2, 3}) {
    for (const int exponent : {-90, -60, -50, 60, 80, 115}) expect_collisions<float>(513, dimensions, 0.2, std::ldexp(1.0F, exponent));
    for (const int exponent : {-900, -500, 500, 1010}) expect_collisions<double>(513, dimensions, 0.2, std::ldexp(1.0, exponent));
  }
}

TEST_F(Gpu, radii_that_are_none_are_refused) {
  const OnDevice<float> centres(std::vector<float>(9)), radii(std::vector<float>{1, -2, 1});
  try {
    count_collisions({{centres, Real::float32, 3, 3}, radii}, cuda());
    FAIL() << "a negative radius was taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_shape);
    EXPECT_NE(std::string(e.what()).find("radius 1 is -2"), std::string::npos) << e.what();
  }
}

template <class T>
void expect_energy(std::int64_t n, double tolerance) {
  const std::vector<T> points = random_numbers<T>(n * 3, static_cast<std::uint64_t>(n));
  const std::vector<double> wide(points.begin(), points.end());
  const double want = reference_triplet_energy({{wide.data(), n * 24}, Real::float64, n, 3});
  const OnDevice<T> there(points);
  const Points given{there, real<T>, n, 3};
  const double have = triplet_energy(given, cuda());
  EXPECT_NEAR(have, want, tolerance * std::abs(want)) << n << " points of " << sizeof(T) << " bytes";
  EXPECT_EQ(have, triplet_energy(given, cuda())) << "another sum the second time";
}

TEST_F(Gpu, more_or_fewer_triplets_have_the_energy_of_a_cpu) {  // a name that the sanitizers run, too
  for (const std::int64_t n : {0, 1, 2, 3, 4, 31, 63, 64, 65, 129, 200}) {
    expect_energy<double>(n, 1e-11);
    expect_energy<float>(n, 1e-3);  // close pairs, whose distances have lost digits, are most of it
  }
}

TEST_F(Gpu, energies_of_points_of_any_size_go_with_the_ninth_power) {
  const auto energy = []<class T>(std::vector<T> points, T size) {
    for (T& x : points) x *= size;
    const OnDevice<T> there(points);
    return triplet_energy({there, real<T>, std::ssize(points) / 3, 3}, cuda());
  };
  const std::vector<float> floats = random_numbers<float>(3 * 70, 11);
  const std::vector<double> doubles = random_numbers<double>(3 * 70, 11);
  for (const int exponent : {-83, -20, 20, 83}) {
    EXPECT_EQ(energy(floats, std::ldexp(1.0F, exponent)), std::scalbn(energy(floats, 1.0F), -9 * exponent)) << exponent;
    EXPECT_EQ(energy(doubles, std::ldexp(1.0, exponent)), std::scalbn(energy(doubles, 1.0), -9 * exponent)) << exponent;
  }
  // Three points much nearer to each other than a fourth is: float32 has no room for both.
  const std::vector<float> near = {0, 0, 0, 1e-12F, 0, 0, 0, 1e-12F, 0, 1000, 0, 0};
  const double want = reference_triplet_energy({{near.data(), 48}, Real::float32, 4, 3});
  EXPECT_NEAR(energy(near, 1.0F), want, 1e-5 * std::abs(want));
}

TEST_F(Gpu, energies_of_several_cubes_a_block_are_those_of_a_cpu) {
  const std::int64_t n = 4001;  // 87 360 halves of cubes, in 65 536 sums
  const std::vector<double> points = random_numbers<double>(n * 3, 7);
  const OnDevice<double> there(points);
  const double want = triplet_energy({{points.data(), n * 24}, Real::float64, n, 3});
  EXPECT_NEAR(triplet_energy({there, Real::float64, n, 3}, cuda()), want, 1e-9 * std::abs(want));
}

}  // namespace
}  // namespace crinkle::testing::pairs_test
