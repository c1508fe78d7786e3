// Lattices of decimal numbers: which cell, which radius and which sector a sample is in, integers say, in units of the last decimal.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>

#include "interpolate/support.hpp"

namespace crinkle::interpolate_decimals_test {
namespace {

using namespace testing;

std::int64_t whole(Random& random, std::int64_t below) { return static_cast<std::int64_t>(static_cast<double>(below) * random()); }

/// Numbers of units of 10^−decimals.
struct Unit {
  double scale;

  explicit Unit(std::int64_t decimals) : scale(std::pow(10.0, static_cast<double>(decimals))) {}
  double operator()(std::int64_t n) const { return static_cast<double>(n) / scale; }
};

TEST(Decimals, a_lattice_of_005_in_cells_of_005_has_a_sample_a_cell) {
  const std::int64_t n = 20;
  Cloud c{2, 1, {}, {}, {}};
  for (std::int64_t y = 0; y <= n; ++y)
    for (std::int64_t x = 0; x <= n; ++x) {
      c.places.insert(c.places.end(), {Unit(2)(5 * x), Unit(2)(5 * y)});
      c.values.push_back(1);
    }
  const Statistic count[] = {Statistic::count};
  std::vector<double> out(static_cast<std::size_t>(n * n));
  EXPECT_EQ(bin(c.samples(), raster_over(0, 0, 1, 1, 0.05), count, out), 441);
  for (std::int64_t row = 0; row < n; ++row)  // the last row and the last column hold both of their edges
    for (std::int64_t column = 0; column < n; ++column)
      EXPECT_EQ(out[static_cast<std::size_t>(row * n + column)], (row == n - 1 ? 2 : 1) * (column == n - 1 ? 2 : 1))
          << row << " " << column;
}

TEST(Decimals, samples_on_edges_lie_in_the_next_cell) {
  Random random(3);
  for (int times = 0; times < 3000; ++times) {
    const Unit unit(whole(random, 5));
    const std::int64_t cell = 1 + whole(random, 999), nx = 1 + whole(random, 400), ny = 1 + whole(random, 50);
    const std::int64_t far = times % 3 == 0 ? 2000000 : times % 3 == 1 ? 1000 : 0;
    const std::int64_t x0 = whole(random, 2 * far + 1) - far, y0 = whole(random, 2 * far + 1) - far, y1 = y0 + ny * cell;
    const Raster raster = raster_over(unit(x0), unit(y0), unit(x0 + nx * cell), unit(y1), unit(cell));
    ASSERT_EQ(raster.extents, (std::array<std::int64_t, 3>{nx, ny, 1})) << unit(x0) << " " << unit(y0) << " " << unit(cell);
    Cloud c{2, 1, {}, {}, {}};
    std::vector<double> want(static_cast<std::size_t>(nx * ny)), got(want.size());
    for (int i = 0; i < 60; ++i) {
      // On an edge, or a unit beside one.
      const std::int64_t x = whole(random, nx + 1) * cell + whole(random, 3) - 1, y = whole(random, ny + 1) * cell + whole(random, 3) - 1;
      c.places.insert(c.places.end(), {unit(x0 + x), unit(y1 - y)});
      c.values.push_back(1);
      if (x < 0 || y < 0 || x > nx * cell || y > ny * cell) continue;
      ++want[static_cast<std::size_t>(std::min(y / cell, ny - 1) * nx + std::min(x / cell, nx - 1))];
    }
    const Statistic count[] = {Statistic::count};
    bin(c.samples(), raster, count, got);
    ASSERT_EQ(got, want) << unit(x0) << " " << unit(y0) << " in cells of " << unit(cell);
  }
}

/// A lattice of samples, a map over some of it and, in the same units, what is to be counted.
struct Lattice {
  Cloud c;
  Raster raster;
  std::vector<std::int64_t> samples, targets;  // twice as many units, x y of one after the other

  Lattice(Random& random, int times) : c{2, 1, {}, {}, {}} {
    const Unit unit(whole(random, 4));
    cell = 1 + whole(random, 99);
    const std::int64_t far = times % 3 == 0 ? 50000000 : times % 3 == 1 ? 100 : 0;
    const std::int64_t x0 = whole(random, 2 * far + 1) - far, y0 = whole(random, 2 * far + 1) - far;
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) {
        c.places.insert(c.places.end(), {unit(x0 + x * cell), unit(y0 + y * cell)});
        c.values.push_back(5);
        samples.insert(samples.end(), {2 * (x0 + x * cell), 2 * (y0 + y * cell)});
      }
    // Cells of the lattice's own side or of half of it: their centres lie on samples, half-way between, or on quarters.
    const std::int64_t half = times % 2 == 0 && cell % 2 == 0 ? cell / 2 : cell, begin = (times / 2 % 2 == 0 ? half : 0) * 3;
    const std::int64_t left = 2 * x0 + begin, top = 2 * (y0 + n * cell) - begin;
    raster = {.first = {unit(left) / 2 + unit(half) / 2, unit(top) / 2 - unit(half) / 2, 0},
              .step = {unit(half), -unit(half), 1},
              .extents = {14, 13, 1}};
    for (std::int64_t j = 0; j < 13; ++j)
      for (std::int64_t i = 0; i < 14; ++i) targets.insert(targets.end(), {left + (2 * i + 1) * half, top - (2 * j + 1) * half});
    radius_unit = unit(1) / 2;
  }

  std::int64_t n = 12, cell = 1;
  double radius_unit = 1;  // half a unit

  /// How many samples each target has that count, as is_in(dx, dy) says in half units; most of a sector.
  template <class IsIn, class Sector>
  std::vector<std::int64_t> counts(const IsIn& is_in, int n_sectors, const Sector& sector_of, std::int64_t most) const {
    std::vector<std::int64_t> all;
    for (std::size_t t = 0; t < targets.size(); t += 2) {
      std::vector<std::int64_t> found(static_cast<std::size_t>(n_sectors), 0);
      for (std::size_t i = 0; i < samples.size(); i += 2) {
        const std::int64_t dx = samples[i] - targets[t], dy = samples[i + 1] - targets[t + 1];
        if (is_in(dx, dy)) ++found[static_cast<std::size_t>(sector_of(dx, dy))];
      }
      std::int64_t sum = 0;
      for (const std::int64_t k : found) sum += most == 0 ? k : std::min(k, most);
      all.push_back(sum);
    }
    return all;
  }

  void expect_counts(Interpolation how, const std::vector<std::int64_t>& want) const {
    how.nodata = -1;
    for (const std::int64_t least : {1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 16, 20, 21, 25, 29, 37}) {
      how.least_neighbours = least;
      std::vector<double> got(want.size());
      interpolate(c.samples(), raster, how, std::span<double>(got));
      for (std::size_t t = 0; t < want.size(); ++t)
        ASSERT_EQ(got[t] == 5, want[t] >= least) << how.radius << ", " << want[t] << " samples, at least " << least << ", target " << t
                                                 << ", first " << raster.first[0] << " " << raster.first[1] << ", step " << raster.step[0];
    }
  }
};

TEST(Decimals, samples_at_the_radius_are_within_it) {
  Random random(4);
  for (int times = 0; times < 150; ++times) {
    const Lattice lattice(random, times);
    const std::int64_t r = lattice.cell * (1 + whole(random, 12)) * (times % 2 == 0 ? 1 : 5);
    const auto is_in = [&](std::int64_t dx, std::int64_t dy) { return dx * dx + dy * dy <= r * r; };
    const auto flat = [](std::int64_t, std::int64_t) { return 0; };
    const double radius = static_cast<double>(r) * lattice.radius_unit;
    lattice.expect_counts({.radius = radius}, lattice.counts(is_in, 1, flat, 0));
    lattice.expect_counts({.neighbours = 20, .radius = radius}, lattice.counts(is_in, 1, flat, 20));
    const auto is_in_ellipse = [&](std::int64_t dx, std::int64_t dy) { return 4 * dx * dx + dy * dy <= r * r; };
    lattice.expect_counts({.radius = radius, .anisotropy = {2, 90}}, lattice.counts(is_in_ellipse, 1, flat, 0));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Decimals, samples_straight_ahead_lie_in_the_first_of_two_sectors) {
  Random random(5);
  for (int times = 0; times < 100; ++times) {
    const Lattice lattice(random, times);
    const std::int64_t r = lattice.cell * (1 + whole(random, 8));
    const auto is_in = [&](std::int64_t dx, std::int64_t dy) { return dx * dx + dy * dy <= r * r; };
    const auto quadrant = [](std::int64_t dx, std::int64_t dy) { return (dx < 0 ? 1 : 0) + (dy < 0 ? 2 : 0); };
    const auto octant = [&](std::int64_t dx, std::int64_t dy) { return quadrant(dx, dy) + (std::abs(dy) > std::abs(dx) ? 4 : 0); };
    const double radius = static_cast<double>(r) * lattice.radius_unit;
    for (const std::int64_t k : {1, 2, 3}) {
      lattice.expect_counts({.neighbours = k, .radius = radius, .sectors = 4}, lattice.counts(is_in, 4, quadrant, k));
      lattice.expect_counts({.neighbours = k, .radius = radius, .sectors = 8}, lattice.counts(is_in, 8, octant, k));
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace crinkle::interpolate_decimals_test
