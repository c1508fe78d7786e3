// Distances as operations on a real GPU: parts have the bits of the whole, distances of two sets those of one, and they are as promised.
// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "crinkle/triangle.hpp"
#include "interpolated.hpp"
#include "operation_parts.hpp"
#include "points_on_gpu.hpp"
#include "triangle/triangles.hpp"

namespace crinkle::testing::pairs_test {
namespace {

constexpr PairForm forms_cut[] = {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::square};

std::int64_t up_to(std::int64_t most, std::mt19937_64& random) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
}

TEST_F(Gpu, parts_of_distances_have_the_bits_of_the_whole) {
  std::mt19937_64 random(581);
  const int n = n_cases(150);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const DistanceRequest request{.n = up_to(i % 3 == 0 ? 700 : 90, random),
                                  .n_features = 1 + up_to(20, random),
                                  .type = static_cast<Real>(random() % 2),
                                  .metric = metrics[random() % 5],
                                  .form = forms_cut[random() % 4]};
    const Operation operation = plan(request, cuda());
    expect_parts_on_gpu(
        operation, random_inputs(operation, random), random,
        fmt::format("{}: {} of {} points of {}, {}", i, name_of(request.metric), request.n, request.n_features, name_of(request.form)));
  }
}

TEST_F(Gpu, parts_of_distances_of_two_sets_have_the_bits_of_the_whole) {
  std::mt19937_64 random(582);
  const int n = n_cases(150);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    CrossDistanceRequest request{.n = up_to(300, random),
                                 .m = up_to(i % 3 == 0 ? 900 : 90, random),
                                 .n_features = 1 + up_to(20, random),
                                 .type = static_cast<Real>(random() % 2),
                                 .metric = metrics[random() % 5]};
    if (random() % 3 != 0) request.out = random_layout({request.n, request.m}, bytes_of(request.type), random);
    const Operation operation = plan(request, cuda());
    expect_parts_on_gpu(
        operation, random_inputs(operation, random), random,
        fmt::format("{}: {} of {} and {} points of {}", i, name_of(request.metric), request.n, request.m, request.n_features));
  }
}

template <class T>
void expect_cross_distances(std::int64_t n, std::int64_t m, std::int64_t n_features, Metric metric) {
  const std::vector<T> x = random_numbers<T>(n * n_features, 1), y = random_numbers<T>(m * n_features, 2);
  const OnDevice<T> rows(x), columns(y);
  std::vector<T> out(static_cast<std::size_t>(n * m), T(-7));
  const OnDevice<T> on_device(out);
  const std::int64_t bytes = n * m * std::int64_t{sizeof(T)};
  const Stream stream(cuda());
  cross_distances({rows, real<T>, n, n_features}, {columns, real<T>, m, n_features}, metric, {on_device.data(), bytes}, cuda(), stream);
  stream.synchronize();
  copy_bytes(on_device, {out.data(), bytes});
  const std::vector<double> wide_x(x.begin(), x.end()), wide_y(y.begin(), y.end());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      const double want = reference_distance(wide_x.data() + i * n_features, wide_y.data() + j * n_features, n_features, metric);
      const T have = out[static_cast<std::size_t>(i * m + j)], rounded = static_cast<T>(want);
      const double unit = metric == Metric::cosine
                              ? std::numeric_limits<T>::epsilon()
                              : static_cast<double>(std::nextafter(rounded, std::numeric_limits<T>::infinity()) - rounded);
      ASSERT_LE(std::abs(static_cast<double>(have) - want) / unit, static_cast<double>(n_features) / 2 + 3)
          << name_of(metric) << ": " << i << " of " << n << ", " << j << " of " << m << ", " << n_features << " features";
    }
  }
}

TEST_F(Gpu, distances_of_two_sets_are_as_promised) {
  for (const Metric metric : metrics)
    for (const auto& [n, m] : {std::pair{1, 1}, {1, 600}, {600, 1}, {17, 130}, {129, 515}})
      for (const std::int64_t n_features : {1, 4, 5, 8, 9, 33}) {
        expect_cross_distances<float>(n, m, n_features, metric);
        expect_cross_distances<double>(n, m, n_features, metric);
      }
}

TEST_F(Gpu, parts_of_conversions_of_triangles_have_the_bits_of_the_whole) {
  std::mt19937_64 random(583);
  const int n_tried = n_cases(200);
  for (int i = 0; i < n_tried && !HasFailure(); ++i) {
    const auto n = static_cast<std::int64_t>(random() % (i % 5 == 0 ? 300 : 40));
    const std::vector<TriangleLayout> all = all_layouts(n, std::array<std::int64_t, 6>{1, 3, 4, 8, 16, 40}[random() % 6]);
    const TriangleLayout &from = all[random() % all.size()], &to = all[random() % all.size()];
    const Operation operation = plan(TriangleRequest{from, to}, cuda());
    expect_parts_on_gpu(operation, random_inputs(operation, random), random, fmt::format("{}: {} to {}", i, named(from), named(to)));
  }
}

TEST_F(Gpu, parts_of_maps_and_bins_have_the_bits_of_the_whole) {
  std::mt19937_64 random(584);
  const Cloud flat = cloud(2000, 2), deep = cloud(2000, 3);
  const Raster raster = raster_over(-0.2, -0.2, 1.2, 1.2, 0.013),
               block{.first = {0, 0, 0}, .step = {0.1, 0.1, 0.1}, .extents = {11, 9, 10}};
  for (const Real type : {Real::float32, Real::float64}) {
    for (const Interpolation& how :
         {Interpolation{.neighbours = 12}, Interpolation{.radius = 0.2}, Interpolation{.neighbours = 40, .sectors = 8}}) {
      expect_parts_on_gpu(plan(InterpolateRequest{flat.samples(), how, raster, type}, cuda()), {}, random, "a map");
      expect_parts_on_gpu(plan(InterpolateRequest{deep.samples(), how, block, type}, cuda()), {}, random, "a block");
      const std::vector<double> places = targets_of(flat, 500);
      const auto* from = reinterpret_cast<const std::byte*>(places.data());
      expect_parts_on_gpu(plan(InterpolateRequest{flat.samples(), how, Reals(places), type}, cuda()), {}, random, "places");
      expect_parts_on_gpu(plan(InterpolateRequest{flat.samples(), how, TargetPlaces{500}, type}, cuda()),
                          {Bytes(from, from + places.size() * sizeof(double))}, random, "places that come");
    }
  }
  for (const double power : {2.0, 2.5}) {
    const Operation map = plan(InterpolateRequest{flat.samples(), {.power = power}, raster, Real::float64}, cuda());
    EXPECT_EQ(map.cuts().size(), 2U);
    expect_parts_on_gpu(map, {}, random, "a map of all samples");
  }
  EXPECT_TRUE(plan(InterpolateRequest{flat.samples(), {}, raster}, cuda()).cuts().empty());
  const std::vector<Statistic> all{Statistic::count, Statistic::sum, Statistic::mean, Statistic::min, Statistic::max, Statistic::deviation};
  expect_parts_on_gpu(plan(BinRequest{flat.samples(), raster, all}, cuda()), {}, random, "bins");
  expect_parts_on_gpu(plan(BinRequest{deep.samples(), block, all}, cuda()), {}, random, "bins of a block");
}

}  // namespace
}  // namespace crinkle::testing::pairs_test
