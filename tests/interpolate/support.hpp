// Samples for tests of interpolation, and what the definition says of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "crinkle/interpolate.hpp"
#include "interpolate/reference.hpp"
#include "support/parts.hpp"

namespace crinkle::testing {

struct Cloud {
  int n_dimensions = 2;
  std::int64_t n_columns = 1;
  std::vector<double> places, values, weights;

  std::int64_t n() const { return std::ssize(places) / n_dimensions; }
  Samples samples() const {
    Samples s{.places = places, .values = values, .n_dimensions = n_dimensions, .n_columns = n_columns};
    if (!weights.empty()) s.weights = weights;
    return s;
  }
  interpolation::SamplePlanes planes() const { return interpolation::planes_of(samples()); }
};

/// Numbers in [0, 1), the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double operator()() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

/// n samples in the unit box around `offset`, spread as the name says.
enum class Spread { uniform, clustered, duplicates, collinear, lattice };
inline constexpr Spread spreads[] = {Spread::uniform, Spread::clustered, Spread::duplicates, Spread::collinear, Spread::lattice};

inline Cloud cloud(std::int64_t n, int n_dimensions, Spread spread = Spread::uniform, std::int64_t n_columns = 1, std::uint64_t seed = 7,
                   double offset = 0, double extent = 1) {
  Random random(seed);
  Cloud c{n_dimensions, n_columns, {}, {}, {}};
  for (std::int64_t i = 0; i < n; ++i) {
    const double along = random();
    for (int a = 0; a < n_dimensions; ++a) {
      double x = random();
      if (spread == Spread::clustered) x = (i % 3 == 0 ? 0.1 : 0.9) + 1e-4 * x * x;
      if (spread == Spread::duplicates) x = std::floor(4 * x) / 4;
      if (spread == Spread::collinear) x = along * (a + 1) / 3;
      if (spread == Spread::lattice) x = static_cast<double>((i / (a == 0 ? 1 : a == 1 ? 8 : 64)) % 8) / 8;
      c.places.push_back(offset + extent * x);
    }
    for (std::int64_t k = 0; k < n_columns; ++k) c.values.push_back(100 * random() - 20);
  }
  return c;
}

/// Places in a box somewhat larger than the samples', some of them on samples and next to them.
inline std::vector<double> targets_of(const Cloud& c, std::int64_t n, double offset = 0, double extent = 1) {
  Random random(99);
  std::vector<double> places;
  for (std::int64_t t = 0; t < n; ++t) {
    const auto on = static_cast<std::size_t>(static_cast<double>(c.n()) * random());
    for (int a = 0; a < c.n_dimensions; ++a) {
      const double somewhere = offset + extent * (1.4 * random() - 0.2);
      const double there = c.places[on * static_cast<std::size_t>(c.n_dimensions) + static_cast<std::size_t>(a)];
      places.push_back(t % 7 == 3 ? there : t % 7 == 5 ? there + extent * 1e-7 * random() : somewhere);
    }
  }
  return places;
}

inline std::array<double, 3> place(const std::vector<double>& places, int n_dimensions, std::int64_t t) {
  std::array<double, 3> q{};
  for (int a = 0; a < n_dimensions; ++a) q[static_cast<std::size_t>(a)] = places[static_cast<std::size_t>(t * n_dimensions + a)];
  return q;
}

template <class T>
std::vector<T> interpolated(const Cloud& c, const std::vector<double>& places, const Interpolation& how,
                            Executor& executor = default_executor()) {
  std::vector<T> out(places.size() / static_cast<std::size_t>(c.n_dimensions) * static_cast<std::size_t>(c.n_columns), T{-77});
  interpolate(c.samples(), Reals(places), how, std::span<T>(out), executor);
  return out;
}

/// What the definition says: [n_columns][n_targets].
inline std::vector<double> defined(const Cloud& c, const std::vector<double>& places, const Interpolation& how) {
  const auto planes = c.planes();
  const std::int64_t n_targets = std::ssize(places) / c.n_dimensions;
  std::vector<double> values(static_cast<std::size_t>(c.n_columns * n_targets));
  in_parts_of(1, std::ssize(values), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      values[static_cast<std::size_t>(v)] =
          interpolation::reference_value(planes, how, v / n_targets, place(places, c.n_dimensions, v % n_targets));
  });
  return values;
}

/// The greatest difference from the definition beyond the rounding to T, as a part of the column's range. NaN must be where the definition
/// has it.
template <class T>
double error_of(const Cloud& c, const std::vector<double>& wanted, const std::vector<T>& got) {
  constexpr double rounding = static_cast<double>(std::numeric_limits<T>::epsilon());
  if (wanted.size() != got.size()) return std::numeric_limits<double>::infinity();
  const auto planes = c.planes();
  const std::size_t n = wanted.size() / static_cast<std::size_t>(c.n_columns);
  double worst = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const double range = std::max(planes.most[k / n] - planes.least[k / n], 1e-300);
    const double want = wanted[k], have = static_cast<double>(got[k]);
    if (std::isnan(want) != std::isnan(have)) return std::numeric_limits<double>::infinity();
    if (!std::isnan(want)) worst = std::max(worst, (std::abs(have - want) - std::abs(want) * rounding) / range);
  }
  return worst;
}

}  // namespace crinkle::testing
