// SPDX-License-Identifier: BSD-3-Clause
#include "suites/distance_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "crinkle/simplex.hpp"
#include "harness/random.hpp"

namespace crinkle::bench {
namespace {

double distance_of(const float* x, const float* y, std::int64_t n_features, Metric metric) {
  double sum = 0, most = 0, product = 0, x_norm = 0, y_norm = 0;
  for (std::int64_t f = 0; f < n_features; ++f) {
    const double a = x[f], b = y[f], d = std::abs(a - b);
    sum += metric == Metric::manhattan ? d : d * d;
    most = std::max(most, d);
    product += a * b;
    x_norm += a * a;
    y_norm += b * b;
  }
  switch (metric) {
    case Metric::euclidean: return std::sqrt(sum);
    case Metric::chebyshev: return most;
    case Metric::cosine: return 1 - product / std::sqrt(x_norm * y_norm);
    default: return sum;
  }
}

/// Pairs i ≥ j at the edges of the triangle, and thousands in it.
std::vector<std::pair<std::int64_t, std::int64_t>> sampled_pairs(std::int64_t n, Diagonal diagonal) {
  constexpr std::int64_t n_random = 1 << 15, n_edge = 64;
  const std::int64_t gap = diagonal == Diagonal::without ? 1 : 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  const auto take = [&](std::int64_t i, std::int64_t j) {
    if (j >= 0 && i < n && i >= j + gap) pairs.emplace_back(i, j);
  };
  for (std::int64_t k = 0; k < n_edge; ++k) {
    take(k, 0);
    take(n - 1, k);
    take(n - 1, n - 1 - k);
    take(n / 2 + k, n / 2 + k - gap);
  }
  std::uint64_t state = static_cast<std::uint64_t>(n);
  for (std::int64_t k = 0; k < n_random; ++k) {
    const auto a = static_cast<std::int64_t>(next_random(state) % static_cast<std::uint64_t>(n));
    const auto b = static_cast<std::int64_t>(next_random(state) % static_cast<std::uint64_t>(n));
    take(std::max(a, b), std::min(a, b));
  }
  return pairs;
}

}  // namespace

void check_distances(const std::string& what, const std::vector<float>& points, const DistanceCall& call,
                     const std::function<std::vector<double>(const std::vector<std::int64_t>& places)>& read) {
  const TriangleLayout layout = layout_of(call.form, call.n, call.type);
  const auto pairs = sampled_pairs(call.n, layout.has_diagonal() ? Diagonal::with : Diagonal::without);
  std::vector<std::int64_t> places;
  for (const auto& [i, j] : pairs) places.push_back(layout.place(i, j));
  if (call.form == PairForm::square)
    for (const auto& [i, j] : pairs) places.push_back(i * call.n + j + j * call.n + i - layout.place(i, j));  // the other triangle's
  const std::vector<double> values = read(places);
  const double unit = call.type == Real::float32 ? 0x1p-23 : 0x1p-52;
  for (std::size_t s = 0; s < places.size(); ++s) {
    const auto [i, j] = pairs[s % pairs.size()];
    const double expected = i == j ? 0
                                   : distance_of(&points[static_cast<std::size_t>(call.n_features * i)],
                                                 &points[static_cast<std::size_t>(call.n_features * j)], call.n_features, call.metric);
    const double allowed =
        8 * unit * std::max(1.0, std::sqrt(static_cast<double>(call.n_features) / 4)) * (call.metric == Metric::cosine ? 1 : expected);
    if (!(std::abs(values[s] - expected) <= allowed))
      throw std::runtime_error(fmt::format("{}: the distance of points {} and {} is {}, not {}", what, i, j, values[s], expected));
  }
}

}  // namespace crinkle::bench
