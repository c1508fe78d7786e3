// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "interpolate/metric.hpp"

namespace crinkle::interpolation {

std::vector<std::int64_t> reference_neighbours(const SamplePlanes& samples, const Interpolation& how, const std::array<double, 3>& q,
                                               std::int64_t left_out) {
  struct Found {
    double square;
    std::int64_t index;
    auto operator<=>(const Found&) const = default;
  };
  const Frame frame(how.anisotropy, samples);
  const std::array<double, 3> target = frame.of(q);
  const Reach reach{.radius = how.radius,
                    .scale = std::max(frame.scale(), samples.scale),
                    .size = std::max(frame.size(), samples.size),
                    .inner = how.radius * how.radius};
  std::vector<std::vector<Found>> sectors(static_cast<std::size_t>(how.sectors));
  for (std::int64_t i = 0; i < samples.n; ++i) {
    const std::array<double, 3> x = frame.of(samples.place(i));
    const double away[3] = {x[0] - target[0], x[1] - target[1], x[2] - target[2]};
    const bool is_flat = samples.n_dimensions == 2;
    const double square = is_flat ? square_of<2>(away) : square_of<3>(away);
    const double slack = reach.slack(largest_of<3>(x.data(), target.data()));
    const int sector = is_flat ? sector_of<2>(away, how.sectors, slack) : sector_of<3>(away, how.sectors, slack);
    if (i != left_out && reach.has<3>(square, x.data(), target.data())) sectors[static_cast<std::size_t>(sector)].push_back({square, i});
  }
  std::vector<std::int64_t> neighbours;
  for (std::vector<Found>& found : sectors) {
    std::sort(found.begin(), found.end());
    if (how.neighbours > 0 && std::ssize(found) > how.neighbours) found.resize(static_cast<std::size_t>(how.neighbours));
    for (const Found& f : found) neighbours.push_back(f.index);
  }
  return neighbours;
}

namespace {

struct Mean {
  long double value, weight;
};

// The mean of the samples on the place of sample i: each of them counts as their mean.
Mean mean_there(const SamplePlanes& samples, std::int64_t column, std::int64_t i, std::int64_t left_out) {
  long double sum = 0, weights = 0, n = 0;
  for (std::int64_t j = 0; j < samples.n; ++j) {
    if (j == left_out || samples.place(j) != samples.place(i)) continue;
    sum += samples.weight(j) * static_cast<long double>(samples.values[static_cast<std::size_t>(column)][static_cast<std::size_t>(j)]);
    weights += samples.weight(j);
    ++n;
  }
  return {sum / weights, weights / n};
}

}  // namespace

double reference_value(const SamplePlanes& samples, const Interpolation& how, std::int64_t column, const std::array<double, 3>& q,
                       std::int64_t left_out) {
  const std::vector<std::int64_t> neighbours = reference_neighbours(samples, how, q, left_out);
  if (neighbours.empty() || std::ssize(neighbours) < how.least_neighbours) return how.nodata;
  const long double angle = how.anisotropy.angle * std::numbers::pi_v<long double> / 180;
  long double weights = 0, sum = 0, weights_there = 0, sum_there = 0;
  for (const std::int64_t i : neighbours) {
    long double away[3] = {};
    for (std::size_t a = 0; a < static_cast<std::size_t>(samples.n_dimensions); ++a)
      away[a] = static_cast<long double>(samples.places[a][static_cast<std::size_t>(i)]) - q[a];
    const long double along = std::cos(angle) * away[0] + std::sin(angle) * away[1];
    const long double across = how.anisotropy.ratio * (std::cos(angle) * away[1] - std::sin(angle) * away[0]);
    const long double flat = how.anisotropy.ratio == 1 ? away[0] * away[0] + away[1] * away[1] : along * along + across * across;
    const long double square = flat + away[2] * away[2] + static_cast<long double>(how.smoothing) * how.smoothing;
    // Samples on one place all count together, so their means may stand for them.
    const auto [value, m] = how.neighbours > 0 ? mean_there(samples, column, i, left_out)
                                               : Mean{samples.values[static_cast<std::size_t>(column)][static_cast<std::size_t>(i)],
                                                      static_cast<long double>(samples.weight(i))};
    if (square == 0) {
      weights_there += m;
      sum_there += m * value;
    } else {
      const long double w = m * std::pow(square, -static_cast<long double>(how.power) / 2);
      weights += w;
      sum += w * value;
    }
  }
  return static_cast<double>(weights_there > 0 ? sum_there / weights_there : sum / weights);
}

}  // namespace crinkle::interpolation
