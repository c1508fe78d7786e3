// Distances on a CPU against the definition: bit by bit on every instruction set, for every metric, form, type and number of threads, past
// the caches and through them; and the error bounds that are promised.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "pairs/cpu/pairs.hpp"
#include "pairs/reference.hpp"
#include "pairs/support.hpp"
#include "support/threads.hpp"

namespace crinkle::pairs_distances_test {
namespace {

using namespace testing;

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

struct Way {
  int n_threads = 1;
  bool is_streamed = false;
  std::int64_t shift = 0;  // of the destination, bytes
};

template <class T>
std::vector<T> computed(const Points& points, Metric metric, PairForm form, const simd::PairKernels& kernels, const Way& way) {
  Threads threads(way.n_threads);
  const PairLimits limits{0, way.is_streamed ? 0 : never};
  return written<T>(distance_bytes(points.n, form, points.type), way.shift,
                    [&](std::byte* out) { run_distances(points, metric, form, out, threads, kernels, limits); });
}
template <class T>
std::vector<T> defined(const Points& points, Metric metric, PairForm form) {
  std::vector<T> out(static_cast<std::size_t>(distance_bytes(points.n, form, points.type)) / sizeof(T));
  reference_distances(points, metric, form, {out.data(), std::ssize(out) * static_cast<std::int64_t>(sizeof(T))});
  return out;
}

// cosine is defined by roots and quotients, computed by products: seven roundings of numbers up to 2, and one to the type.
template <class T>
void expect_as_defined(const std::vector<T>& got, const std::vector<T>& want, Metric metric, const std::string& what) {
  if (metric != Metric::cosine) {
    const std::int64_t k = first_difference(got, want);
    ASSERT_EQ(k, -1) << what << ": element " << k << " is " << got[static_cast<std::size_t>(k)] << ", not "
                     << want[static_cast<std::size_t>(k)];
    return;
  }
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    ASSERT_EQ(std::isnan(got[k]), std::isnan(want[k])) << what << ": element " << k;
    if (std::isnan(want[k])) continue;
    const double most = 16 * 0x1p-53 + static_cast<double>(want[k]) * static_cast<double>(std::numeric_limits<T>::epsilon());
    ASSERT_NEAR(got[k], want[k], most) << what << ": element " << k;
  }
}

template <class T>
void compare(std::int64_t n, std::int64_t n_features) {
  const std::vector<T> x = numbers<T>(n * n_features, static_cast<std::uint64_t>(100 * n + n_features));
  const Points points = points_of(x, n_features);
  std::uint64_t turn = static_cast<std::uint64_t>(n + n_features);
  for (const Metric metric : metrics) {
    for (const PairForm form : forms) {
      const std::string what =
          std::to_string(n) + " points of " + std::to_string(n_features) + ", " + name_of(metric) + ", " + name_of(form);
      const std::vector<T> want = defined<T>(points, metric, form);
      std::vector<T> first;
      for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
        constexpr int n_threads[] = {1, 2, 3, 7};
        const Way way{n_threads[turn % 4], turn % 3 != 0, turn % 5 == 0 ? 1 : static_cast<std::int64_t>(turn % 16 * sizeof(T))};
        ++turn;
        const std::vector<T> got = computed<T>(points, metric, form, *kernels, way);
        expect_as_defined(got, want, metric, what + " on " + kernels->target);
        if (::testing::Test::HasFatalFailure()) return;
        if (first.empty()) first = got;
        EXPECT_EQ(first_difference(got, first), -1) << what << ": not the same on " << kernels->target;
      }
    }
  }
}

TEST(Distances, are_as_defined_for_any_number_of_points) {
  for (std::int64_t n = 0; n <= 70; ++n) {
    compare<float>(n, 1 + n % 9);
    compare<double>(n, 1 + (n + 4) % 9);
  }
  compare<float>(257, 3);
  compare<double>(257, 4);
}

TEST(Distances, are_as_defined_for_many_features) {
  for (const std::int64_t n_features : {2, 9, 17, 130}) {
    compare<float>(67, n_features);
    compare<double>(67, n_features);
  }
}

// Pieces of the planes are as short as they can be: ranges are cut, and whole lines of the destination with them.
TEST(Distances, are_as_defined_where_planes_go_in_pieces) {
  compare<float>(301, 130);
  compare<double>(211, 130);
}

TEST(Distances, do_not_depend_on_the_number_of_threads) {
  const std::vector<float> x = numbers<float>(300 * 5, 8);
  const Points points = points_of(x, 5);
  for (const PairForm form : forms) {
    const auto with = [&](int n, bool streamed) {
      return computed<float>(points, Metric::cosine, form, simd::PairKernels::best(), {n, streamed, 4});
    };
    const std::vector<float> one = with(1, false);
    for (const int n : {1, 2, 3, 7, 100}) EXPECT_EQ(first_difference(with(n, true), one), -1) << n << " threads, " << name_of(form);
  }
}

TEST(Distances, points_may_lie_at_any_address) {
  const std::vector<double> x = numbers<double>(40 * 3, 5);
  std::vector<std::byte> moved(x.size() * sizeof(double) + 1);
  std::memcpy(moved.data() + 1, x.data(), x.size() * sizeof(double));
  const Points points = points_of(x, 3), odd{{moved.data() + 1, std::ssize(moved) - 1}, Real::float64, 40, 3};
  EXPECT_EQ(computed<double>(odd, Metric::euclidean, PairForm::rfp, simd::PairKernels::best(), {}),
            computed<double>(points, Metric::euclidean, PairForm::rfp, simd::PairKernels::best(), {}));
}

// The distance in long double, and what `metric` may be away from it.
template <class T>
void expect_within_bound(const std::vector<T>& x, std::int64_t n_features, Metric metric, double* worst) {
  const Points points = points_of(x, n_features);
  const std::vector<T> got = computed<T>(points, metric, PairForm::condensed, simd::PairKernels::best(), {});
  std::size_t at = 0;
  for (std::int64_t i = 0; i < points.n; ++i) {
    for (std::int64_t j = i + 1; j < points.n; ++j, ++at) {
      const auto exact = reference_distance<long double>(
          std::vector<long double>(&x[0] + i * n_features, &x[0] + (i + 1) * n_features).data(),
          std::vector<long double>(&x[0] + j * n_features, &x[0] + (j + 1) * n_features).data(), n_features, metric);
      const T rounded = static_cast<T>(exact);
      const long double ulp = static_cast<long double>(std::nextafter(rounded, std::numeric_limits<T>::max()) - rounded);
      const long double error = std::abs(static_cast<long double>(got[at]) - exact) / ulp;
      *worst = std::max(*worst, static_cast<double>(error));
      ASSERT_LE(error, static_cast<long double>(n_features) / 2 + 3) << name_of(metric) << " of " << n_features << " features";
    }
  }
}

TEST(Distances, keep_the_bound_that_is_promised) {
  double worst = 0;
  for (const std::int64_t n_features : {1, 2, 3, 4, 7, 64, 1000, 20000}) {
    for (const Metric metric : {Metric::euclidean, Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev}) {
      const std::int64_t n = n_features > 1000 ? 4 : 24;
      expect_within_bound(numbers<float>(n * n_features, 7), n_features, metric, &worst);
      expect_within_bound(numbers<double>(n * n_features, 9), n_features, metric, &worst);
      // All terms alike: every sum is rounded the same way.
      std::vector<float> alike(static_cast<std::size_t>(2 * n_features), 0.0f);
      std::fill(alike.begin() + n_features, alike.end(), 0.7f);
      expect_within_bound(alike, n_features, metric, &worst);
    }
  }
  EXPECT_GT(worst, 0.5);  // it was rounded
}

TEST(Distances, are_never_negative_and_nan_only_of_nan_and_infinities) {
  for (const double size : {1e-38, 1e-30, 1.0, 1e18, 3e38}) {
    std::vector<float> x = numbers<float>(50 * 4, 3);
    for (float& v : x) v = static_cast<float>(std::clamp(static_cast<double>(v), -1.0, 1.0) * size);
    std::fill(x.begin(), x.begin() + 8, static_cast<float>(size));  // two points that coincide
    for (const Metric metric : metrics) {
      for (const float d : computed<float>(points_of(x, 4), metric, PairForm::square, simd::PairKernels::best(), {}))
        EXPECT_GE(d, 0) << name_of(metric) << " of numbers like " << size;
      EXPECT_EQ(computed<float>(points_of(x, 4), metric, PairForm::condensed, simd::PairKernels::best(), {})[0], 0);
    }
  }
}

TEST(Distances, the_angle_does_not_depend_on_lengths) {
  for (const double size : {1e-300, 1e-160, 1e160, 1e300}) {
    const std::vector<double> x = {1, 0, size, size, 0, -size};
    const std::vector<double> d = computed<double>(points_of(x, 2), Metric::cosine, PairForm::condensed, simd::PairKernels::best(), {});
    EXPECT_NEAR(d[0], 1 - std::sqrt(0.5), 1e-15);
    EXPECT_EQ(d[1], 1);
    EXPECT_NEAR(d[2], 1 + std::sqrt(0.5), 1e-15);
  }
}

TEST(Distances, opposite_points_are_two_apart_and_no_more) {
  // Of the first the product of x·x and both 1/|x| is 1 + 2⁻⁵¹.
  const std::vector<double> x = {1.8855130969313565, -1.8855130969313565, 3, -3, 0.1, -0.1};
  const std::vector<double> d = computed<double>(points_of(x, 1), Metric::cosine, PairForm::square, simd::PairKernels::best(), {});
  for (const double distance : d) EXPECT_LE(distance, 2);
  for (const std::size_t i : {0u, 2u, 4u}) EXPECT_NEAR(d[i * 6 + i + 1], 2, 1e-15);
}

TEST(Distances, nan_and_infinity_come_through) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> x = numbers<float>(40 * 3, 11);
  x[3 * 5 + 1] = nan, x[3 * 17 + 2] = inf, x[3 * 23] = -inf;
  const Points points = points_of(x, 3);
  for (const Metric metric : metrics) {
    for (const simd::PairKernels* kernels : simd::PairKernels::all()) {
      const std::vector<float> got = computed<float>(points, metric, PairForm::square, *kernels, {});
      expect_as_defined(got, defined<float>(points, metric, PairForm::square), metric, name_of(metric));
      for (int i = 0; i < 40; ++i) EXPECT_TRUE(std::isnan(got[static_cast<std::size_t>(5 * 40 + i)])) << name_of(metric) << ' ' << i;
    }
  }
}

TEST(Distances, a_square_is_symmetric_and_its_diagonal_zero) {
  const std::vector<double> x = numbers<double>(90 * 6, 21);
  for (const Metric metric : metrics) {
    const std::vector<double> d = computed<double>(points_of(x, 6), metric, PairForm::square, simd::PairKernels::best(), {3, true, 0});
    for (std::size_t i = 0; i < 90; ++i) {
      EXPECT_EQ(d[i * 91], 0);
      for (std::size_t j = 0; j < i; ++j) EXPECT_EQ(d[i * 90 + j], d[j * 90 + i]) << name_of(metric);
    }
  }
}

TEST(Distances, the_call_does_the_same) {
  const std::vector<float> x = numbers<float>(1000 * 4, 2);
  const Points points = points_of(x, 4);
  std::vector<float> out(1000 * 999 / 2);
  distances(points, Metric::manhattan, PairForm::condensed, {out.data(), std::ssize(out) * 4});
  EXPECT_EQ(first_difference(out, defined<float>(points, Metric::manhattan, PairForm::condensed)), -1);
}

}  // namespace
}  // namespace crinkle::pairs_distances_test
