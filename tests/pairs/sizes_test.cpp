// Points as large and as small as their type has: distances, collisions and energies whose squares the type does not have, against
// long double and against themselves at size 1, on every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "notation/expect_error.hpp"
#include "pairs/cpu/pairs.hpp"
#include "pairs/reference.hpp"
#include "pairs/squares.hpp"
#include "pairs/support.hpp"
#include "support/threads.hpp"

namespace crinkle::pairs_sizes_test {
namespace {

using namespace testing;

static_assert(std::numeric_limits<long double>::max_exponent > 10000, "the oracle needs exponents that no square of float64 leaves");

template <class T>
std::vector<T> times(std::vector<T> x, T size) {
  for (T& v : x) v *= size;
  return x;
}

template <class T>
long double exact(const T* x, const T* y, std::int64_t n_features, Metric metric) {
  long double sum = 0, most = 0, squares = 0, xy = 0, xx = 0, yy = 0;
  for (std::int64_t f = 0; f < n_features; ++f) {
    const long double a = x[f], b = y[f], d = std::abs(a - b);
    sum += d, squares += d * d, most = std::max(most, d);
    xy += a * b, xx += a * a, yy += b * b;
  }
  switch (metric) {
    case Metric::euclidean: return std::sqrt(squares);
    case Metric::sqeuclidean: return squares;
    case Metric::manhattan: return sum;
    case Metric::chebyshev: return most;
    case Metric::cosine: return 1 - xy / (std::sqrt(xx) * std::sqrt(yy));
  }
  return -1;
}

// Every distance within the bound that is promised, and the same bits as the definition.
template <class T>
void expect_exact(const std::vector<T>& x, std::int64_t n_features, Metric metric, const std::string& what) {
  const Points points = points_of(x, n_features);
  std::vector<T> defined(static_cast<std::size_t>(points.n * points.n));
  reference_distances(points, metric, PairForm::square, {defined.data(), std::ssize(defined) * std::int64_t{sizeof(T)}});
  for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
    Threads threads(2);
    const std::vector<T> got = written<T>(std::ssize(defined) * std::int64_t{sizeof(T)}, 0, [&](std::byte* out) {
      run_distances(points, metric, PairForm::square, out, threads, *kernels, {0, 0});
    });
    if (metric != Metric::cosine) { EXPECT_EQ(first_difference(got, defined), -1) << what << " on " << kernels->target; }
    for (std::int64_t i = 0; i < points.n; ++i) {
      for (std::int64_t j = 0; j < points.n; ++j) {
        const T have = got[static_cast<std::size_t>(i * points.n + j)];
        const long double want = exact(x.data() + i * n_features, x.data() + j * n_features, n_features, metric);
        const T rounded = static_cast<T>(want);
        if (std::isnan(want) || std::isinf(rounded)) {
          ASSERT_TRUE(is_same(have, rounded)) << what << ", " << i << ", " << j << ": " << have << ", not " << rounded;
          continue;
        }
        const long double ulp = static_cast<long double>(std::nextafter(rounded, std::numeric_limits<T>::infinity())) - rounded;
        const long double most = metric == Metric::cosine ? static_cast<long double>(n_features + 16) * 0x1p-53L + ulp
                                                          : (static_cast<long double>(n_features) / 2 + 3) * ulp;
        ASSERT_LE(std::abs(static_cast<long double>(have) - want), most)
            << what << " on " << kernels->target << ", " << i << ", " << j << ": " << have << ", not " << rounded;
      }
    }
  }
}

template <class T>
void expect_exact_of_sizes(std::initializer_list<T> sizes) {
  for (const std::int64_t n_features : {1, 3, 9}) {
    const std::vector<T> x = numbers<T>(21 * n_features, 5);
    std::vector<T> mixed;
    for (const T size : sizes) {
      const std::vector<T> scaled = times(x, size);
      mixed.insert(mixed.end(), scaled.begin(), scaled.end());
      for (const Metric metric : metrics)
        expect_exact(scaled, n_features, metric, name_of(metric) + std::string(" at ") + std::to_string(std::log10(size)));
    }
    for (const Metric metric : metrics) expect_exact(mixed, n_features, metric, name_of(metric) + std::string(" of mixed sizes"));
  }
}

TEST(PairsOfAnySize, float32_distances_are_exact) { expect_exact_of_sizes<float>({1, 1e-40F, 1e-25F, 1e-19F, 1e19F, 1e25F, 3e35F}); }
TEST(PairsOfAnySize, float64_distances_are_exact) { expect_exact_of_sizes<double>({1, 1e-310, 1e-200, 1e-160, 1e153, 1e200, 1e305}); }

TEST(PairsOfAnySize, distances_beyond_the_type_are_infinite_and_no_others) {
  constexpr float most = std::numeric_limits<float>::max(), infinity = std::numeric_limits<float>::infinity();
  const auto distance = [&](std::vector<float> x, Metric metric) {
    float out = -1;
    distances(points_of(x, std::ssize(x) / 2), metric, PairForm::condensed, {&out, 4});
    return out;
  };
  EXPECT_EQ(distance({1e25F, 2e25F}, Metric::euclidean), 2e25F - 1e25F);
  EXPECT_EQ(distance({0, 1e-25F}, Metric::euclidean), 1e-25F);
  EXPECT_EQ(distance({0, most}, Metric::euclidean), most);
  EXPECT_EQ(distance({-most, most}, Metric::euclidean), infinity);
  EXPECT_EQ(distance({0, 0, 3e38F, 3e38F}, Metric::euclidean), infinity);
  EXPECT_EQ(distance({0, 1e25F}, Metric::sqeuclidean), infinity);
  EXPECT_EQ(distance({0, 1e-25F}, Metric::sqeuclidean), 0);
  EXPECT_EQ(distance({1e25F, 1e25F}, Metric::euclidean), 0);
  EXPECT_EQ(distance({infinity, 1e25F}, Metric::euclidean), infinity);
  EXPECT_TRUE(std::isnan(distance({infinity, infinity}, Metric::euclidean)));
}

std::vector<Collision> found(const Spheres& spheres, const simd::PairKernels& kernels) {
  Threads threads(2);
  const PairLimits limits{0, 0};
  std::vector<Collision> pairs(static_cast<std::size_t>(run_count(spheres, threads, kernels, limits)));
  EXPECT_EQ(run_find(spheres, pairs, threads, kernels, limits), std::ssize(pairs));
  return pairs;
}

TEST(PairsOfAnySize, radii_are_plain_where_no_two_are_tiny_and_none_is_huge) {
  const auto are_plain = [](std::vector<float> radii) { return radii_are_plain(radii.data(), std::ssize(radii)); };
  EXPECT_TRUE(are_plain({1, 2, 1e18F}));
  EXPECT_TRUE(are_plain({1, 0, 2}));
  EXPECT_FALSE(are_plain({0, 1, 0}));
  EXPECT_FALSE(are_plain({1e-16F, 1, 1e-20F}));
  EXPECT_FALSE(are_plain({1, 1e19F}));
}

TEST(PairsOfAnySize, squares_stay_where_no_difference_is_tiny_and_no_sum_huge) {
  const auto stay = [](std::vector<float> x, std::int64_t n_squares) {
    return squares_stay<float>(sizes_of<float>(x.data(), std::ssize(x)), n_squares);
  };
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(stay({}, 1));
  EXPECT_TRUE(stay({0, -0.0F, 1, -1e18F, 1e-12F, nan, -infinity}, 3));
  EXPECT_TRUE(stay({0x1p-40F, 0x1p62F}, 1));
  EXPECT_FALSE(stay({0x1p-41F, 1}, 1));
  EXPECT_FALSE(stay({1, -0x1p63F}, 1));
  EXPECT_FALSE(stay({1, 0x1p62F}, 4));
}

template <class T>
void expect_same_collisions(std::initializer_list<T> sizes) {
  for (const std::int64_t n_dims : {1, 2, 3}) {
    std::vector<T> x = numbers<T>(150 * n_dims, 3), r = numbers<T>(150, 4);
    for (T& v : r) v = std::abs(v) < T(0.1) ? 0 : std::abs(v) / 4;
    std::copy_n(x.begin(), n_dims, x.end() - n_dims);
    r.front() = r.back() = 0;  // in one place
    const std::vector<Collision> want = found({points_of(x, n_dims), buffer_of(r)}, simd::PairKernels::best());
    EXPECT_GT(std::ssize(want), 100);
    EXPECT_LT(std::ssize(want), 150 * 149 / 2);
    EXPECT_TRUE(std::find(want.begin(), want.end(), Collision{0, 149}) != want.end());
    for (const T size : sizes) {
      const std::vector<T> centres = times(x, size), radii = times(r, size);
      const Spheres spheres{points_of(centres, n_dims), buffer_of(radii)};
      EXPECT_EQ(reference_collisions(spheres), want) << "at 2^" << std::log2(size) << " in " << n_dims << " dimensions";
      for (const simd::PairKernels* kernels : simd::PairKernels::all())
        EXPECT_EQ(found(spheres, *kernels), want) << "at 2^" << std::log2(size) << " in " << n_dims << " dimensions on " << kernels->target;
    }
  }
}

TEST(PairsOfAnySize, spheres_collide_at_every_size) {
  expect_same_collisions<float>({0x1p-80F, 0x1p-60F, 0x1p-50F, 0x1p60F, 0x1p80F, 0x1p115F});
  expect_same_collisions<double>({0x1p-900, 0x1p-500, 0x1p500, 0x1p1010});
}

TEST(PairsOfAnySize, spheres_apart_do_not_collide) {
  const auto collide = [](float apart, float radius) {
    const std::vector<float> x = {0, apart}, r = {radius, radius};
    return count_collisions({points_of(x, 1), buffer_of(r)}) == 1;
  };
  EXPECT_FALSE(collide(1e-25F, 0));
  EXPECT_FALSE(collide(1e-25F, 4e-26F));
  EXPECT_TRUE(collide(1e-25F, 6e-26F));
  EXPECT_FALSE(collide(1e25F, 4e24F));
  EXPECT_TRUE(collide(1e25F, 6e24F));
  EXPECT_TRUE(collide(1, 1.5e38F));
  const std::vector<float> x = {0, 1}, r = {1, 2e38F};
  EXPECT_EQ(error_of(ErrorCode::too_large, [&] { count_collisions({points_of(x, 1), buffer_of(r)}); }),
            "radius 1 is 2e+38, whose sum with another one may be beyond float32; give larger units");
}

template <class T>
double energy(const std::vector<T>& x, const simd::PairKernels& kernels = simd::PairKernels::best()) {
  Threads threads(2);
  return run_triplets(points_of(x, 3), threads, kernels, {0, 0});
}

// A regular figure's corners, moved a little, so that no two are near each other and all terms count.
template <class T>
std::vector<T> corners() {
  return {1, T(0.1), 0, 0, 1, T(0.2), T(-0.1), 0, 1, -1, T(0.1), 0, 0, -1, T(0.1), T(0.2), 0, -1};
}

TEST(PairsOfAnySize, energies_go_with_the_ninth_power) {
  const double of_floats = energy(corners<float>()), of_doubles = energy(corners<double>());
  EXPECT_NEAR(of_floats, reference_triplet_energy(points_of(corners<float>(), 3)), 1e-5 * std::abs(of_floats));
  EXPECT_NEAR(of_doubles, reference_triplet_energy(points_of(corners<double>(), 3)), 1e-13 * std::abs(of_doubles));
  for (const int exponent : {-100, -83, -20, -7, 7, 20, 83, 100}) {
    for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
      EXPECT_EQ(energy(times(corners<float>(), std::ldexp(1.0F, exponent)), *kernels), std::scalbn(of_floats, -9 * exponent)) << exponent;
      EXPECT_EQ(energy(times(corners<double>(), std::ldexp(1.0, exponent)), *kernels), std::scalbn(of_doubles, -9 * exponent)) << exponent;
    }
  }
  EXPECT_EQ(energy(times(corners<double>(), 1e200)), 0);
  EXPECT_TRUE(std::isinf(energy(times(corners<double>(), 1e-200))));
}

TEST(PairsOfAnySize, energies_of_near_points_beside_far_ones) {
  for (const float size : {1e-6F, 1e-12F, 1e-25F}) {
    std::vector<float> x = times(corners<float>(), size);
    const std::vector<float> far = times(corners<float>(), 1000.0F);
    x.insert(x.end(), far.begin(), far.end());
    const double want = reference_triplet_energy(points_of(x, 3));
    ASSERT_TRUE(std::isfinite(want));
    for (const simd::PairKernels* kernels : simd::PairKernels::all()) EXPECT_NEAR(energy(x, *kernels), want, 1e-5 * std::abs(want)) << size;
  }
}

}  // namespace
}  // namespace crinkle::pairs_sizes_test
