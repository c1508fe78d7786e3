// Samples binned onto rasters.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>

#include "interpolate/support.hpp"
#include "support/threads.hpp"

namespace crinkle::bin_test {
namespace {

using namespace testing;

constexpr Statistic all[] = {Statistic::count, Statistic::sum, Statistic::mean, Statistic::min, Statistic::max, Statistic::deviation};

TEST(Bin, by_hand) {
  // Two cells along x, one along y; the upper edges of the raster belong to it, those between belong to the next cell.
  const Cloud c{2, 1, {0, 0, 1, 0, 1.5, 1, 2, 1, 0.5, 0.5, 2.5, 0, 0.5, -0.1}, {1, 2, 4, 9, 3, 100, 200}, {}};
  std::vector<double> out(12);
  EXPECT_EQ(bin(c.samples(), {.first = {0.5, 0.5, 0}, .extents = {2, 1, 1}}, all, out, -1), 5);
  EXPECT_EQ(out, (std::vector<double>{2, 3, 4, 15, 2, 5, 1, 2, 3, 9, 1, std::sqrt(26.0 / 3)}));
}

TEST(Bin, vacant_cells_have_no_data) {
  const Cloud c{2, 1, {0.5, 0.5}, {7}, {}};
  std::vector<double> out(12, 5);
  bin(c.samples(), {.first = {0.5, 0.5, 0}, .extents = {2, 1, 1}}, all, out, -9999);
  EXPECT_EQ(out, (std::vector<double>{1, 0, 7, -9999, 7, -9999, 7, -9999, 7, -9999, 0, -9999}));
}

TEST(Bin, samples_in_cells_are_counted_without_memory_for_cells) {
  const Cloud c{2, 1, {0.5, 0.5, 7e5, 9e5, -3, 1}, {7, 8, 9}, {}};
  EXPECT_EQ(bin(c.samples(), {.extents = {1000000, 1000000, 1}}, {}, {}), 2);
}

TEST(Bin, rows_go_south_and_every_column_is_binned) {
  const Cloud c{2, 2, {0.5, 1.5, 0.5, 0.5, 0.6, 0.4}, {1, 10, 2, 20, 3, 30}, {}};
  std::vector<double> out(4);
  const Statistic sum[] = {Statistic::sum};
  EXPECT_EQ(bin(c.samples(), raster_over(0, 0, 1, 2, 1), sum, out), 3);
  EXPECT_EQ(out, (std::vector<double>{1, 5, 10, 50}));
}

TEST(Bin, every_spread_is_a_plain_loop) {
  for (const Spread spread : spreads) {
    for (const int n_dimensions : {2, 3}) {
      const Cloud c = cloud(2000, n_dimensions, spread, 2);
      const Raster raster{.first = {0.15, 0.95, 0.05}, .step = {0.1, -0.1, 0.1}, .extents = {7, 9, n_dimensions == 3 ? 8 : 1}};
      const std::int64_t n_cells = raster.n_cells();
      std::vector<double> out(static_cast<std::size_t>(12 * n_cells)), again(out.size());
      Threads one(1), three(3);
      const std::int64_t n = bin(c.samples(), raster, all, out, -5, one);
      EXPECT_EQ(bin(c.samples(), raster, all, again, -5, three), n);
      EXPECT_EQ(out, again);
      std::map<std::int64_t, std::vector<std::int64_t>> cells;
      for (std::int64_t i = 0; i < c.n(); ++i) {
        std::int64_t cell = 0, pitch = 1;
        bool is_in = true;
        for (std::size_t a = 0; a < static_cast<std::size_t>(n_dimensions); ++a) {
          double x = (c.places[static_cast<std::size_t>(i * n_dimensions) + a] - raster.first[a]) / raster.step[a] + 0.5;
          if (std::abs(x - std::round(x)) < 1e-9) x = std::round(x);  // on an edge, but for roundings
          const auto extent = static_cast<double>(raster.extents[a]);
          is_in = is_in && x >= 0 && x <= extent;
          cell += static_cast<std::int64_t>(std::min(std::floor(x), extent - 1)) * pitch;
          pitch *= raster.extents[a];
        }
        if (is_in) cells[cell].push_back(i);
      }
      std::int64_t n_in = 0;
      for (const auto& [cell, inside] : cells) {
        n_in += std::ssize(inside);
        for (std::int64_t k = 0; k < 2; ++k) {
          double sum = 0, squares = 0;
          for (const std::int64_t i : inside) sum += c.values[static_cast<std::size_t>(2 * i + k)];
          const double mean = sum / static_cast<double>(inside.size());
          for (const std::int64_t i : inside) squares += std::pow(c.values[static_cast<std::size_t>(2 * i + k)] - mean, 2);
          const auto got = [&](std::int64_t statistic) { return out[static_cast<std::size_t>((statistic * 2 + k) * n_cells + cell)]; };
          EXPECT_EQ(got(0), static_cast<double>(inside.size()));
          EXPECT_NEAR(got(1), sum, 1e-9);
          EXPECT_NEAR(got(2), mean, 1e-9);
          EXPECT_NEAR(got(5), std::sqrt(squares / static_cast<double>(inside.size())), 1e-9);
        }
      }
      EXPECT_EQ(n, n_in);
    }
  }
}

TEST(Bin, more_than_1024_samples_of_a_cell_are_sums_of_sums_of_1024) {
  for (const std::int64_t n : {1023, 1024, 1025, 2048, 5000}) {
    Cloud c = cloud(n, 2);
    for (double& z : c.values) z += 1e6;
    std::vector<double> out(6);
    ASSERT_EQ(bin(c.samples(), {.first = {0.5, 0.5, 0}}, all, out), n);
    const auto summed = [&](const auto& of) {
      double sum = 0;
      for (std::int64_t begin = 0; begin < n; begin += 1024) {
        double part = 0;
        for (std::int64_t i = begin; i < std::min(n, begin + 1024); ++i) part += of(c.values[static_cast<std::size_t>(i)]);
        sum += part;
      }
      return sum;
    };
    const auto [least, most] = std::minmax_element(c.values.begin(), c.values.end());
    const double sum = summed([](double z) { return z; }), mean = sum / static_cast<double>(n);
    const double squares = summed([&](double z) { return (z - mean) * (z - mean); });
    EXPECT_EQ(out, (std::vector<double>{static_cast<double>(n), sum, mean, *least, *most, std::sqrt(squares / static_cast<double>(n))}));
  }
}

// Decimal numbers whose binary ones are a rounding apart: as many cells as the decimals say, and samples on the edges lie in them.
TEST(Raster, decimal_extents_have_no_cell_of_a_rounding) {
  EXPECT_EQ(raster_over(500003.1, 0, 500005.4, 1, 0.1).extents, (std::array<std::int64_t, 3>{23, 10, 1}));
  EXPECT_EQ(raster_over(0, 0, 1.05, 1, 0.1).extents[0], 11);
  Random random(2);
  const Statistic count[] = {Statistic::count};
  for (int times = 0; times < 20000; ++times) {
    const int decimals = 1 + static_cast<int>(4 * random());
    const double scale = std::pow(10, decimals);
    const auto whole = [&](double most) { return std::floor(most * scale * random()); };
    const double cell = 1 + std::floor(50 * random()), x0 = whole(9e6) - std::floor(4e6 * scale), y0 = whole(9e6);
    const std::int64_t nx = 1 + static_cast<std::int64_t>(1000 * random()), ny = 1 + static_cast<std::int64_t>(40 * random());
    const double x1 = (x0 + cell * static_cast<double>(nx)) / scale, y1 = (y0 + cell * static_cast<double>(ny)) / scale;
    const Raster raster = raster_over(x0 / scale, y0 / scale, x1, y1, cell / scale);
    ASSERT_EQ(raster.extents, (std::array<std::int64_t, 3>{nx, ny, 1})) << x0 / scale << " to " << x1 << " in cells of " << cell / scale;
    const double more = cell / scale / 20;  // a part of a cell is a cell
    ASSERT_EQ(raster_over(x0 / scale, y0 / scale, x1 + more, y1, cell / scale).extents[0], nx + 1);
    const Cloud corners{2, 1, {x0 / scale, y0 / scale, x1, y1, x0 / scale, y1, x1, y0 / scale}, {1, 2, 3, 4}, {}};
    std::vector<double> out(static_cast<std::size_t>(nx * ny));
    ASSERT_EQ(bin(corners.samples(), raster, count, out), 4) << x0 / scale << " to " << x1 << " in cells of " << cell / scale;
  }
}

}  // namespace
}  // namespace crinkle::bin_test
