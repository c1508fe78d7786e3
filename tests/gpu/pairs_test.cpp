// Distances on a real GPU are within what is promised: every metric, form, type and number of points and features.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "points_on_gpu.hpp"

namespace crinkle::testing::pairs_test {
namespace {

constexpr PairForm forms[] = {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square};

template <class T>
double unit_at(T value) {
  return static_cast<double>(std::nextafter(value, std::numeric_limits<T>::infinity()) - value);
}

/// want[i (i − 1) / 2 + j] of all j < i.
template <class T>
std::vector<double> wanted_distances(const std::vector<T>& points, std::int64_t n, std::int64_t n_features, Metric metric) {
  const std::vector<double> wide(points.begin(), points.end());
  std::vector<double> want(static_cast<std::size_t>(n * (n - 1) / 2));
  in_parts_of(1, n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t j = 0; j < i; ++j)
        want[static_cast<std::size_t>(i * (i - 1) / 2 + j)] =
            reference_distance(wide.data() + i * n_features, wide.data() + j * n_features, n_features, metric);
  });
  return want;
}

/// Everything about the distances of n points in some forms, whose destinations begin `shift` elements past an aligned address.
template <class T>
void expect_distances(std::int64_t n, std::int64_t n_features, Metric metric, std::span<const PairForm> some, std::int64_t shift) {
  constexpr std::int64_t guard = 64;
  const std::vector<T> points = random_numbers<T>(n * n_features, static_cast<std::uint64_t>(n * 31 + n_features));
  const std::vector<double> wanted = wanted_distances(points, n, n_features, metric);
  const OnDevice<T> on_device(points, shift % 2);
  const Stream stream{cuda()};
  for (const PairForm form : some) {
    const std::string what = std::string(name_of(metric)) + ", " + name_of(form) + ", " + std::to_string(n) + " points of " +
                             std::to_string(n_features) + " features, " + std::to_string(sizeof(T)) + " bytes, shift " +
                             std::to_string(shift);
    const std::int64_t bytes = distance_bytes(n, form, real<T>), n_out = bytes / std::int64_t{sizeof(T)};
    std::vector<T> out(static_cast<std::size_t>(n_out + 2 * guard), T(-7));
    const OnDevice<T> out_on_device(out, shift);
    distances({on_device, real<T>, n, n_features}, metric, form, {out_on_device.data() + guard, bytes}, cuda(), stream);
    stream.synchronize();
    copy_bytes(out_on_device, {out.data(), std::ssize(out) * std::int64_t{sizeof(T)}});

    const TriangleLayout layout = layout_of(form, n, real<T>);
    std::vector<double> worst(static_cast<std::size_t>(n + 1));  // of a row
    in_parts_of(1, n, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        for (std::int64_t j = 0; j < i + (layout.has_diagonal() ? 1 : 0); ++j) {
          const T have = out[static_cast<std::size_t>(guard + layout.place(i, j))];
          const double want = i == j ? 0 : wanted[static_cast<std::size_t>(i * (i - 1) / 2 + j)];
          const double unit = metric == Metric::cosine ? std::numeric_limits<T>::epsilon() : unit_at(static_cast<T>(want));
          ASSERT_GE(have, 0) << what << ": " << i << ", " << j;
          double& row = worst[static_cast<std::size_t>(i)];
          row = std::max(row, i == j ? (have == 0 ? 0 : 1e9) : std::abs(static_cast<double>(have) - want) / unit);
          if (form != PairForm::square) continue;
          ASSERT_EQ(have, out[static_cast<std::size_t>(guard + i * n + j)]) << what;
          ASSERT_EQ(have, out[static_cast<std::size_t>(guard + j * n + i)]) << what;
        }
      }
    });
    EXPECT_LE(*std::max_element(worst.begin(), worst.end()), static_cast<double>(n_features) / 2 + 3) << what;
    for (std::size_t g = 0; g < guard; ++g) {
      ASSERT_EQ(out[g], T(-7)) << what << ": written before the destination";
      ASSERT_EQ(out[out.size() - 1 - g], T(-7)) << what << ": written behind the destination";
    }
  }
}

TEST_F(Gpu, records_of_features_have_the_distances_that_are_promised) {  // a name that the sanitizers run, too
  const int n = n_cases(700);
  int done = 0;
  for (const std::int64_t n_points : {0, 1, 2, 3, 33, 129, 200, 513, 700})
    for (const std::int64_t n_features : {1, 3, 4, 5, 8, 9, 17, 40})
      for (const PairForm& form : forms) {
        const Metric metric = metrics[(n_points + n_features + done) % 5];
        if (done++ >= n) return;
        expect_distances<float>(n_points, n_features, metric, {&form, 1}, done % 33);
        expect_distances<double>(n_points, n_features, metric, {&form, 1}, done % 17);
      }
}

TEST_F(Gpu, every_metric_has_the_distances_that_are_promised) {
  for (const Metric metric : metrics)
    for (const std::int64_t n_features : {2, 4, 7, 8, 33}) {
      expect_distances<float>(611, n_features, metric, forms, n_features);
      expect_distances<double>(611, n_features, metric, forms, n_features);
    }
}

/// Every distance of points multiplied by `size`, a power of two, against long double.
template <class T>
void expect_distances_of_size(std::int64_t n_features, Metric metric, T size) {
  constexpr std::int64_t n = 70;
  std::vector<T> points = random_numbers<T>(n * n_features, 3);
  std::copy_n(points.begin(), n_features, points.begin() + n_features);  // two in one place
  for (T& x : points) x = (x - T(0.5)) * size;
  for (std::int64_t f = 0; f < n_features; ++f) points[static_cast<std::size_t>(5 * n_features + f)] /= size;  // one of another size
  const OnDevice<T> on_device(points);
  std::vector<T> out(static_cast<std::size_t>(n * n), T(-7));
  const OnDevice<T> on_device_out(out);
  const std::int64_t bytes = n * n * std::int64_t{sizeof(T)};
  distances({on_device, real<T>, n, n_features}, metric, PairForm::square, {on_device_out.data(), bytes}, cuda(), Stream());
  Stream().synchronize();
  copy_bytes(on_device_out, {out.data(), bytes});
  const std::vector<long double> wide(points.begin(), points.end());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const long double want = reference_distance(wide.data() + i * n_features, wide.data() + j * n_features, n_features, metric);
      const T have = out[static_cast<std::size_t>(i * n + j)], rounded = static_cast<T>(want);
      const auto what = [&] {
        return std::string(name_of(metric)) + " of " + std::to_string(n_features) + " features at 2^" + std::to_string(std::log2(size)) +
               ", " + std::to_string(i) + ", " + std::to_string(j);
      };
      if (!std::isfinite(rounded)) {
        ASSERT_TRUE(have == rounded || (std::isnan(have) && std::isnan(rounded))) << what() << ": " << have;
        continue;
      }
      const long double unit = metric == Metric::cosine ? static_cast<long double>(std::numeric_limits<T>::epsilon())
                                                        : static_cast<long double>(unit_at(rounded));
      ASSERT_LE(std::abs(static_cast<long double>(have) - want), (static_cast<long double>(n_features) / 2 + 3) * unit) << what();
    }
  }
}

TEST_F(Gpu, points_of_any_size_have_the_distances_that_are_promised) {
  for (const Metric metric : metrics)
    for (const std::int64_t n_features : {1, 3, 4, 7, 8, 9, 40}) {
      for (const int exponent : {-140, -120, -83, -63, 63, 83, 120})
        expect_distances_of_size(n_features, metric, std::ldexp(1.0F, exponent));
      for (const int exponent : {-1040, -1000, -664, -500, 500, 664, 1000})
        expect_distances_of_size(n_features, metric, std::ldexp(1.0, exponent));
    }
}

TEST_F(Gpu, distances_of_what_is_no_number_are_none) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> points = {0, 0, nan, 1, 1, 0, 2, 2};  // four points of two features; the first is zero
  for (const Metric metric : metrics) {
    const OnDevice<double> on_device(points);
    std::vector<double> out(16, -7);
    const OnDevice<double> on_device_out(out);
    distances({on_device, Real::float64, 4, 2}, metric, PairForm::square, {on_device_out.data(), 128}, cuda(), Stream());
    Stream().synchronize();
    copy_bytes(on_device_out, {out.data(), 128});
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        EXPECT_EQ(std::isnan(out[i * 4 + j]), i == 1 || j == 1 || (metric == Metric::cosine && (i == 0 || j == 0)))
            << name_of(metric) << " of " << i << " and " << j;
  }
}

TEST_F(Gpu, points_that_coincide_have_no_angle_and_opposite_ones_two) {
  for (const std::int64_t n_features : {3, 7, 20}) {
    std::vector<double> points = random_numbers<double>(3 * n_features, 7);
    for (std::int64_t f = 0; f < n_features; ++f) {
      points[static_cast<std::size_t>(n_features + f)] = points[static_cast<std::size_t>(f)];
      points[static_cast<std::size_t>(2 * n_features + f)] = -3 * points[static_cast<std::size_t>(f)];
    }
    const OnDevice<double> on_device(points);
    std::vector<double> out(3);
    const OnDevice<double> on_device_out(out);
    distances({on_device, Real::float64, 3, n_features}, Metric::cosine, PairForm::condensed, {on_device_out.data(), 24}, cuda(), Stream());
    Stream().synchronize();
    copy_bytes(on_device_out, {out.data(), 24});
    EXPECT_EQ(out[0], 0) << n_features;
    for (std::size_t k = 1; k < 3; ++k) {
      EXPECT_NEAR(out[k], 2, 1e-15) << n_features;
      EXPECT_LE(out[k], 2) << n_features;
    }
  }
}

TEST_F(Gpu, distances_can_be_captured_and_refuse_what_is_elsewhere) {
  const std::vector<float> points = random_numbers<float>(400, 5);
  const OnDevice<float> on_device(points), out(std::vector<float>(4950));
  const Points given{on_device, Real::float32, 100, 4};
  EXPECT_THROW(distances(given, Metric::euclidean, PairForm::condensed, {out.data(), 4949 * 4}, cuda(), Stream()), Error);
  std::vector<float> here(4950);
  try {
    distances(given, Metric::euclidean, PairForm::condensed, {here.data(), 4950 * 4}, cuda(), Stream());
    FAIL() << "the host's memory was taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::device);
    EXPECT_NE(std::string(e.what()).find("the distances is not memory that CUDA device 0 can reach"), std::string::npos) << e.what();
  }
  EXPECT_THROW(distances(given, Metric::euclidean, PairForm::condensed, {out.data(), 4950 * 4}, cpu(), Stream()), Error);
}

}  // namespace
}  // namespace crinkle::testing::pairs_test
