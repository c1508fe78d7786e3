// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/order.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"

namespace crinkle::interpolation {
std::vector<std::int64_t> order_along_curve(const Targets& targets, Executor& executor) {
  const std::int64_t n = targets.n();
  if (n == 0) return {};
  const Targets::Bounds box = targets.bounds();
  std::vector<std::pair<std::uint64_t, std::int64_t>> codes(static_cast<std::size_t>(n));
  constexpr std::int64_t part = 4096;
  executor.parallel_for(ceil_divide(n, part), [&](std::int64_t chunk) {
    for (std::int64_t t = chunk * part; t < std::min(n, (chunk + 1) * part); ++t) {
      const std::array<double, 3> q = targets.at(t);
      const std::uint64_t code = code_on_curve(q.data(), box[0].data(), box[1].data());
      codes[static_cast<std::size_t>(t)] = {code, t};
    }
  });
  std::sort(codes.begin(), codes.end());
  std::vector<std::int64_t> order;
  order.reserve(codes.size());
  for (const auto& [code, t] : codes) order.push_back(t);
  return order;
}

SamplePlanes along_curve(const SamplePlanes& samples, Executor& executor) {
  const auto n_axes = static_cast<std::size_t>(samples.n_dimensions);
  std::vector<double> places;
  places.reserve(index(samples.n) * n_axes);
  for (std::size_t i = 0; i < index(samples.n); ++i)
    for (std::size_t a = 0; a < n_axes; ++a) places.push_back(samples.places[a][i]);
  const std::vector<std::int64_t> order = order_along_curve(Targets(Reals(places), samples.n_dimensions), executor);
  SamplePlanes ordered = samples;
  const auto put = [&](const std::vector<double>& from, std::vector<double>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[index(order[i])];
  };
  for (std::size_t a = 0; a < n_axes; ++a) put(samples.places[a], ordered.places[a]);
  for (std::size_t c = 0; c < samples.values.size(); ++c) put(samples.values[c], ordered.values[c]);
  put(samples.weights, ordered.weights);
  return ordered;
}

}  // namespace crinkle::interpolation
