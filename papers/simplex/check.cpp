// SPDX-License-Identifier: BSD-3-Clause
#include "papers/simplex/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace crinkle::bench {
namespace {

constexpr std::int64_t most_defined_pairs = 4096, most_defined_triplets = 256;  // points: up to there the definition takes little time

bool is_defined(Work work, std::int64_t n) { return n <= (is_of_triplets(work) ? most_defined_triplets : most_defined_pairs); }

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

/// What a map is checked by.
Work checker_of(Work work) {
  switch (work) {
    case Work::dummy:
    case Work::map_alone: return Work::tally;
    case Work::dummy_3d: return Work::tally_3d;
    default: return work;
  }
}

}  // namespace

std::string checked_by(Work work, std::int64_t n) { return is_defined(work, n) ? "definition" : "bounding box"; }

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

void check_count(const std::string& what, std::uint64_t count, std::uint64_t expected) {
  if (count != expected) throw std::runtime_error(fmt::format("{}: counts {}, not {}", what, count, expected));
}

void check_energy(const std::string& what, double energy, double expected, double error) {
  if (!(std::abs(energy - expected) <= error * std::abs(expected)))
    throw std::runtime_error(fmt::format("{}: the energy is {}, not {}", what, energy, expected));
}

void check_ways(SimplexBackend& backend, Work work, Maps maps, std::int64_t n, const std::vector<MapWay>& ways) {
  const Work checker = checker_of(work);
  const std::vector<MapWay> checked = checker == work ? ways : backend.ways(checker, maps, n);
  const bool is_by_definition = is_defined(work, n);
  Outcome expected, first;
  if (is_by_definition) expected = defined_outcome(checker, n, backend.numbers());
  for (std::size_t k = 0; k < checked.size(); ++k) {
    const std::string what = fmt::format("{} of {} points", checked[k].name, n);
    const Outcome is = backend.outcome(checker, n, checked[k].run);
    if (k == 0) first = is;
    if (checker == Work::distances) {
      check_count(what + ", places that are not written", is.count, 0);
      if (k == 0)
        check_distances(what, backend.numbers().points, {Metric::euclidean, PairForm::packed_upper, Real::float32, n},
                        [&](const auto& places) {
                          return backend.sample(places, Real::float32);  // LAPACK's upper triangle by columns: j(j + 1)/2 + i
                        });
    } else if (checker == Work::triplets) {
      if (is_by_definition) check_energy(what, is.energy, expected.energy, 1e-4);  // terms in float
      check_energy(what, is.energy, first.energy, 1e-9);                           // the same terms, in another order
    } else {
      check_count(what, is.count, is_by_definition ? expected.count : first.count);
    }
    if (checker == Work::tally || checker == Work::tally_3d) {
      check_count(what, is.count, static_cast<std::uint64_t>(useful_cells(checker, n)));
      if (is_by_definition) check_count(what + ", numbers of cells", is.sum, expected.sum);
    }
    check_count(what + ", what lies in which place", is.sum, first.sum);
  }
}

}  // namespace crinkle::bench
