// Inverse-distance sums on a real GPU against their definition: dimensions, powers, types, columns, weights, hits and near hits, far
// coordinates, rasters and places; the same bits in every run; and what is refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <vector>

#include "interpolated.hpp"
#include "notation/expect_error.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {
namespace {

class GpuInterpolation : public OnGpu {};

template <class T>
constexpr double stated = sizeof(T) == 4 ? 2e-5 : 1e-12;

void expect_defined(const Cloud& c, const std::vector<double>& places, const Interpolation& how, const std::string& what) {
  const std::vector<double> want = defined(c, places, how);
  const Interpolator interpolator(c.samples(), how, cuda());
  const Lent there = on_device(places);
  const Reals reals(std::span(static_cast<const double*>(there.data()), places.size()));
  EXPECT_LE(error_of(c, want, run_guarded<float>(interpolator, reals, std::ssize(want))), stated<float>) << what;
  EXPECT_LE(error_of(c, want, run_guarded<double>(interpolator, reals, std::ssize(want))), stated<double>) << what;
}

TEST_F(GpuInterpolation, is_as_defined_for_all_dimensions_powers_spreads_columns_and_types) {
  for (const int d : {2, 3})
    for (const double p : {1.0, 2.0, 3.0, 4.0, 0.5, 2.5, 7.0, 40.0})
      for (const Spread spread : spreads)
        for (const int n_columns : {1, 2, 6}) {
          Cloud c = cloud(n_columns == 1 ? 700 : 150, d, spread, n_columns);
          const std::vector<double> places = targets_of(c, 70);
          const std::string what = std::to_string(d) + "-D, power " + std::to_string(p) + ", spread " +
                                   std::to_string(static_cast<int>(spread)) + ", columns " + std::to_string(n_columns);
          expect_defined(c, places, {.power = p}, what);
          if (n_columns == 6) continue;
          Random random(3);
          for (std::int64_t i = 0; i < c.n(); ++i) c.weights.push_back(i % 11 == 4 ? 0 : 5 * random() + 1e-3);
          expect_defined(c, places, {.power = p, .smoothing = 0.03}, what + ", weights and smoothing");
          expect_defined(c, places, {.power = p}, what + ", weights");
        }
}

TEST_F(GpuInterpolation, of_places_on_samples_is_the_mean_of_the_values_there) {
  const Cloud c{2, 1, {0.1, 0.7, 0.1, 0.7, 0.5, 0.2, 1e6, 3}, {3, 8, 40, -5}, {1, 3, 1, 1}};
  const std::vector<double> places = {0.1, 0.7, 0.5, 0.2, 1e6, 3};
  for (const double p : {1.0, 2.0, 3.0, 4.0, 2.5})
    EXPECT_EQ(gpu_values<double>(c, places, {.power = p}), (std::vector<double>{6.75, 40, -5})) << p;
}

TEST_F(GpuInterpolation, tells_distances_of_1e_minus_30) {
  const Cloud c{2, 1, {0, 0, 3e-30, 0, 1, 1}, {10, 20, 50}, {}};
  const std::vector<double> places = {1e-30, 0, 2e-30, 0, 1e-30, 1e-30, 0, 0};
  for (const double p : {1.0, 2.0, 3.0, 4.0, 1.5}) expect_defined(c, places, {.power = p}, "power " + std::to_string(p));
}

TEST_F(GpuInterpolation, does_not_mind_an_offset_of_1e6_where_samples_are_1e_minus_2_apart) {
  for (const int d : {2, 3})
    for (const double p : {1.0, 2.0, 4.0, 2.5}) {
      const Cloud c = cloud(1000, d, Spread::uniform, 1, 5, 1e6, 0.32);
      const std::vector<double> places = targets_of(c, 200, 1e6, 0.32);
      expect_defined(c, places, {.power = p}, "offset, power " + std::to_string(p));
    }
}

TEST_F(GpuInterpolation, of_places_far_away_and_of_float32_places_is_as_defined) {
  const Cloud c = cloud(700, 2);
  const std::vector<double> places = {1e6, 3, -1e12, 1e12, 1e40, 0, 1e149, 1e149, 40, 50};
  for (const double p : {1.0, 2.0, 4.0, 0.7}) expect_defined(c, places, {.power = p}, "far away, power " + std::to_string(p));
  const std::vector<float> floats = {0.25F, 0.5F, 0.1F, 0.9F, 1.3F, -0.2F};
  EXPECT_LE(error_of(c, defined(c, {floats.begin(), floats.end()}, {}), gpu_values<float>(c, floats, {})), stated<float>);
}

TEST_F(GpuInterpolation, of_rasters_and_with_anisotropy_is_what_the_cpu_makes) {
  const Cloud flat = cloud(500, 2, Spread::lattice, 2), deep = cloud(512, 3, Spread::lattice);
  const Raster map = raster_over(-0.125, -0.125, 1.125, 1.0, 0.03125), block = raster_over(0, 0, 0, 1, 0.5, 0.75, 0.0625);
  const auto compare = [](const Cloud& c, const Raster& raster, const Interpolation& how) {
    const Interpolator interpolator(c.samples(), how, cuda());
    const std::int64_t n = raster.n_cells() * c.n_columns;
    std::vector<double> want(static_cast<std::size_t>(n));
    interpolate(c.samples(), raster, how, std::span<double>(want));
    EXPECT_LE(error_of(c, want, run_guarded<float>(interpolator, raster, n)), stated<float>);
    EXPECT_LE(error_of(c, want, run_guarded<double>(interpolator, raster, n)), stated<double>);
  };
  compare(flat, map, {});
  compare(flat, map, {.power = 3, .anisotropy = {3, 30}});
  compare(deep, block, {.power = 2.5});
}

TEST_F(GpuInterpolation, gives_the_same_bits_in_every_run_and_constants_as_they_are) {
  Cloud c = cloud(5000, 2);
  const std::vector<double> places = targets_of(c, 3000);
  EXPECT_EQ(gpu_values<float>(c, places, {}), gpu_values<float>(c, places, {}));
  std::fill(c.values.begin(), c.values.end(), 0.1);
  for (const double p : {1.0, 2.0, 2.5}) {
    EXPECT_EQ(gpu_values<float>(c, places, {.power = p}), std::vector<float>(3000, 0.1F));
    EXPECT_EQ(gpu_values<double>(c, places, {.power = p}), std::vector<double>(3000, 0.1));
  }
}

TEST_F(GpuInterpolation, refuses_memory_of_the_host_and_the_wrong_device) {
  const Cloud c = cloud(20, 2);
  error_of(ErrorCode::bad_shape, [&] { Interpolator(c.samples(), {.power = 0}, cuda()); });
  error_of(ErrorCode::device, [&] { Interpolator(c.samples(), {}, cpu()); });
  const Interpolator interpolator(c.samples(), {}, cuda()), of_cpu(c.samples(), {});
  const Raster raster = raster_over(0, 0, 1, 1, 0.25);
  const DeviceMemory memory(cuda(), 128);
  std::vector<float> on_host(16);
  const std::span<float> host(on_host), there(static_cast<float*>(memory.data()), 16);
  const std::vector<double> places(32);
  EXPECT_NE(error_of(ErrorCode::device, [&] { interpolator.run(raster, host, Stream()); }).find("the values"), std::string::npos);
  EXPECT_NE(error_of(ErrorCode::device, [&] { interpolator.run(Reals(places), there, Stream()); }).find("places"), std::string::npos);
  error_of(ErrorCode::device, [&] { interpolator.run(raster, host); });
  error_of(ErrorCode::device, [&] { of_cpu.run(raster, there, Stream()); });
  error_of(ErrorCode::bad_shape, [&] { interpolator.run(raster, there.first(15), Stream()); });
}

}  // namespace
}  // namespace crinkle::testing
