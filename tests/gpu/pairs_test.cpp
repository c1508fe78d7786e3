// Work on pairs and triplets on a real GPU: distances within what is promised, collisions to the last pair, energies to rounding.
// SPDX-License-Identifier: BSD-3-Clause
#include "crinkle/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "on_gpu.hpp"
#include "pairs/reference.hpp"

namespace crinkle::testing::pairs_test {
namespace {

using Gpu = OnGpu;

constexpr Metric metrics[] = {Metric::euclidean, Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev, Metric::cosine};
constexpr PairForm forms[] = {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square};

template <class T>
constexpr Real real = sizeof(T) == 4 ? Real::float32 : Real::float64;

template <class T>
std::vector<T> random_numbers(std::int64_t n, std::uint64_t seed, double scale = 1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(0, scale);
  std::vector<T> all(static_cast<std::size_t>(n));
  for (T& v : all) v = static_cast<T>(any(random));
  return all;
}

/// A copy in the device's memory, so many elements past an aligned address.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values, std::int64_t shift = 0)
      : bytes_(std::ssize(values) * std::int64_t{sizeof(T)}),
        memory_(cuda(), bytes_ + (shift + 1) * std::int64_t{sizeof(T)}),
        shift_(shift) {
    copy_bytes({values.data(), bytes_}, {data(), bytes_});
  }
  T* data() const { return static_cast<T*>(memory_.data()) + shift_; }
  operator ConstBuffer() const { return {data(), bytes_}; }  // NOLINT: it is one

 private:
  std::int64_t bytes_;
  DeviceMemory memory_;
  std::int64_t shift_;
};

template <class T>
double unit_at(T value) {
  return static_cast<double>(std::nextafter(value, std::numeric_limits<T>::infinity()) - value);
}

/// Everything about the distances of n points, whose destination begins `shift` elements past an aligned address.
template <class T>
void expect_distances(std::int64_t n, std::int64_t n_features, Metric metric, PairForm form, std::int64_t shift) {
  const std::string what = std::string(name_of(metric)) + ", " + name_of(form) + ", " + std::to_string(n) + " points of " +
                           std::to_string(n_features) + " features, " + std::to_string(sizeof(T)) + " bytes, shift " +
                           std::to_string(shift);
  constexpr std::int64_t guard = 64;
  const std::int64_t bytes = distance_bytes(n, form, real<T>), n_out = bytes / std::int64_t{sizeof(T)};
  const std::vector<T> points = random_numbers<T>(n * n_features, static_cast<std::uint64_t>(n * 31 + n_features));
  const OnDevice<T> on_device(points, shift % 2);
  std::vector<T> out(static_cast<std::size_t>(n_out + 2 * guard), T(-7));
  const OnDevice<T> out_on_device(out, shift);
  const Stream stream{cuda()};
  distances({on_device, real<T>, n, n_features}, metric, form, {out_on_device.data() + guard, bytes}, cuda(), stream);
  stream.synchronize();
  copy_bytes(out_on_device, {out.data(), std::ssize(out) * std::int64_t{sizeof(T)}});

  std::vector<double> wide(points.begin(), points.end());
  const TriangleLayout layout = layout_of(form, n, real<T>);
  double worst = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i + (layout.has_diagonal() ? 1 : 0); ++j) {
      const T have = out[static_cast<std::size_t>(guard + layout.place(i, j))];
      const double want = i == j ? 0 : reference_distance(wide.data() + i * n_features, wide.data() + j * n_features, n_features, metric);
      const double unit = metric == Metric::cosine ? std::numeric_limits<T>::epsilon() : unit_at(static_cast<T>(want));
      ASSERT_GE(have, 0) << what << ": " << i << ", " << j;
      worst = std::max(worst, i == j ? (have == 0 ? 0 : 1e9) : std::abs(static_cast<double>(have) - want) / unit);
      if (form != PairForm::square) continue;
      ASSERT_EQ(have, out[static_cast<std::size_t>(guard + i * n + j)]) << what;
      ASSERT_EQ(have, out[static_cast<std::size_t>(guard + j * n + i)]) << what;
    }
  }
  EXPECT_LE(worst, static_cast<double>(n_features) / 2 + 3) << what;
  for (std::size_t g = 0; g < guard; ++g) {
    ASSERT_EQ(out[g], T(-7)) << what << ": written before the destination";
    ASSERT_EQ(out[out.size() - 1 - g], T(-7)) << what << ": written behind the destination";
  }
}

TEST_F(Gpu, records_of_features_have_the_distances_that_are_promised) {  // a name that the sanitizers run, too
  const int n = n_cases(700);
  int done = 0;
  for (const std::int64_t n_points : {0, 1, 2, 3, 33, 129, 200, 513, 700})
    for (const std::int64_t n_features : {1, 3, 4, 5, 8, 9, 17, 40})
      for (const PairForm form : forms) {
        const Metric metric = metrics[(n_points + n_features + done) % 5];
        if (done++ >= n) return;
        expect_distances<float>(n_points, n_features, metric, form, done % 33);
        expect_distances<double>(n_points, n_features, metric, form, done % 17);
      }
}

TEST_F(Gpu, every_metric_has_the_distances_that_are_promised) {
  for (const Metric metric : metrics)
    for (const PairForm form : forms)
      for (const std::int64_t n_features : {2, 4, 7, 8, 33}) {
        expect_distances<float>(611, n_features, metric, form, n_features);
        expect_distances<double>(611, n_features, metric, form, n_features);
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
      const std::string what = std::string(name_of(metric)) + " of " + std::to_string(n_features) + " features at 2^" +
                               std::to_string(std::log2(size)) + ", " + std::to_string(i) + ", " + std::to_string(j);
      if (!std::isfinite(rounded)) {
        ASSERT_TRUE(have == rounded || (std::isnan(have) && std::isnan(rounded))) << what << ": " << have;
        continue;
      }
      const long double unit = metric == Metric::cosine ? static_cast<long double>(std::numeric_limits<T>::epsilon())
                                                        : static_cast<long double>(unit_at(rounded));
      ASSERT_LE(std::abs(static_cast<long double>(have) - want), (static_cast<long double>(n_features) / 2 + 3) * unit) << what;
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
    EXPECT_NE(std::string(e.what()).find("the destination is not memory that CUDA device 0 can reach"), std::string::npos) << e.what();
  }
  EXPECT_THROW(distances(given, Metric::euclidean, PairForm::condensed, {out.data(), 4950 * 4}, cpu(), Stream()), Error);
}

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
