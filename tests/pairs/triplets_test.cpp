// The energy of triplets on a CPU against the definition, on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "pairs/cpu/pairs.hpp"
#include "pairs/reference.hpp"
#include "pairs/support.hpp"
#include "support/threads.hpp"

namespace crinkle::pairs_triplets_test {
namespace {

using namespace testing;

// Points of a grid, moved a little: no two are near each other.
template <class T>
std::vector<T> crystal(std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> x;
  for (std::int64_t i = 0; i < n; ++i)
    for (const std::int64_t place : {i % 7, i / 7 % 7, i / 49})
      x.push_back(static_cast<T>(static_cast<double>(place) + static_cast<double>(random() % 1000) * 3e-4));
  return x;
}

/// Σ |term|, by which errors of the sum are to be judged.
double size_of_terms(const std::vector<double>& x) {
  double sum = 0;
  const std::int64_t n = std::ssize(x) / 3;
  std::vector<double> three(9);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j)
      for (std::int64_t k = j + 1; k < n; ++k) {
        std::copy_n(x.begin() + 3 * i, 3, three.begin());
        std::copy_n(x.begin() + 3 * j, 3, three.begin() + 3);
        std::copy_n(x.begin() + 3 * k, 3, three.begin() + 6);
        sum += std::abs(reference_triplet_energy(points_of(three, 3)));
      }
  return sum;
}

double computed(const Points& points, int n_threads, const simd::PairKernels& kernels) {
  Threads threads(n_threads);
  return run_triplets(points, threads, kernels, {0, 0});
}

template <class T>
void compare(std::int64_t n) {
  const std::vector<T> x = crystal<T>(n, 4);
  const std::vector<double> wide(x.begin(), x.end());
  const double want = reference_triplet_energy(points_of(wide, 3));
  constexpr double of_sums = 1e-12;  // of float64, term after term
  const double most = (64 * static_cast<double>(std::numeric_limits<T>::epsilon()) + of_sums) * (size_of_terms(wide) + 1e-300);
  for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
    const double got = computed(points_of(x, 3), 1, *kernels);
    EXPECT_NEAR(got, want, most) << n << " points on " << kernels->target;
    EXPECT_EQ(got, computed(points_of(x, 3), 1, simd::PairKernels::best())) << n << " points on " << kernels->target;
    for (const int n_threads : {2, 3, 7})
      EXPECT_EQ(computed(points_of(x, 3), n_threads, *kernels), got) << n << " points on " << kernels->target;
  }
}

TEST(Triplets, are_as_defined_for_any_number_of_points) {
  for (std::int64_t n = 0; n <= 40; ++n) {
    compare<float>(n);
    compare<double>(n);
  }
}

TEST(Triplets, are_as_defined_in_several_tiles) {
  for (const std::int64_t n : {257, 300}) {
    compare<float>(n);
    compare<double>(n);
  }
}

TEST(Triplets, an_equilateral_triangle_has_eleven_eighths) {
  const std::vector<double> x = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_NEAR(triplet_energy(points_of(x, 3)), 1.375 / std::pow(2.0, 4.5), 1e-15);
  const std::vector<float> two = {0, 0, 0, 1, 0, 0};
  EXPECT_EQ(triplet_energy(points_of(two, 3)), 0);
}

TEST(Triplets, of_points_that_coincide_are_no_numbers) {
  const std::vector<double> x = {1, 0, 0, 0, 1, 0, 1, 0, 0};
  EXPECT_FALSE(std::isfinite(triplet_energy(points_of(x, 3))));
}

}  // namespace
}  // namespace crinkle::pairs_triplets_test
