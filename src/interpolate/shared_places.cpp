// A table of places that every thread fills: the first sample of a place takes a slot, the others are noted beside it.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpolate/shared_places.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "base/checked.hpp"

namespace crinkle::interpolation {
namespace {

std::uint64_t hash_of(const std::array<double, 3>& x) {
  std::uint64_t hash = 0;
  for (const double number : x) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number + 0.0)) * 0x9E3779B97F4A7C15;  // −0 is 0
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

SharedPlaces::SharedPlaces(const SamplePlanes& samples, Executor& executor) {
  using Noted = std::pair<std::uint64_t, std::int64_t>;  // slot, sample
  constexpr std::int64_t part = 1 << 11;
  const std::int64_t n = samples.n;
  std::vector<std::int64_t> table(std::bit_ceil(2 * index(n)), -1);
  const std::uint64_t mask = table.size() - 1;
  std::vector<std::vector<Noted>> parts(index(ceil_divide(n, part)));
  executor.parallel_for(std::ssize(parts), [&](std::int64_t k) {
    for (std::int64_t i = k * part; i < std::min(n, (k + 1) * part); ++i) {
      const std::array<double, 3> x = samples.place(i);
      for (std::uint64_t slot = hash_of(x) & mask;; slot = (slot + 1) & mask) {
        const std::atomic_ref<std::int64_t> entry(table[slot]);
        std::int64_t there = entry.load(std::memory_order_relaxed);
        if (there < 0 && entry.compare_exchange_strong(there, i, std::memory_order_relaxed)) break;
        if (samples.place(there) != x) continue;
        parts[index(k)].emplace_back(slot, i);
        break;
      }
    }
  });
  std::vector<Noted> noted;
  for (const std::vector<Noted>& some : parts) noted.insert(noted.end(), some.begin(), some.end());
  if (noted.empty()) return;
  std::sort(noted.begin(), noted.end());
  place_of_.assign(index(n), alone);
  for (std::size_t k = 0; k < noted.size();) {
    const std::uint64_t slot = noted[k].first;
    const auto first = std::ssize(members_);
    first_.push_back(first);
    members_.push_back(table[slot]);
    for (; k < noted.size() && noted[k].first == slot; ++k) members_.push_back(noted[k].second);
    std::sort(members_.begin() + first, members_.end());
    for (auto member = members_.begin() + first; member != members_.end(); ++member) place_of_[index(*member)] = std::ssize(first_) - 1;
  }
  first_.push_back(std::ssize(members_));
}

PlaceMean SharedPlaces::mean(const SamplePlanes& samples, std::int64_t place, std::int64_t left_out) const {
  const std::span<const std::int64_t> all(members_.begin() + first_[index(place)], members_.begin() + first_[index(place + 1)]);
  const std::int64_t zero = all[all[0] == left_out ? 1 : 0];
  double weights = 0, n = 0;
  std::vector<double> sums(index(samples.n_columns()));
  for (const std::int64_t i : all) {
    if (i == left_out) continue;
    weights += samples.weight(i);
    ++n;
    for (std::size_t c = 0; c < sums.size(); ++c)
      sums[c] += samples.weight(i) * (samples.values[c][index(i)] - samples.values[c][index(zero)]);
  }
  for (std::size_t c = 0; c < sums.size(); ++c)
    sums[c] = std::clamp(samples.values[c][index(zero)] + sums[c] / weights, samples.least[c], samples.most[c]);
  return {std::move(sums), weights / n};
}

SamplePlanes SharedPlaces::merged(SamplePlanes samples) const {
  for (std::int64_t place = 0; place + 1 < std::ssize(first_); ++place) {
    const PlaceMean of = mean(samples, place);
    for (std::int64_t k = first_[index(place)]; k < first_[index(place + 1)]; ++k) {
      const std::size_t i = index(members_[index(k)]);
      for (std::size_t c = 0; c < of.values.size(); ++c) samples.values[c][i] = of.values[c];
      if (!samples.weights.empty()) samples.weights[i] = of.weight;
    }
  }
  return samples;
}

}  // namespace crinkle::interpolation

namespace crinkle {

std::int64_t count_coincident(const Samples& samples, Executor& executor) {
  return interpolation::SharedPlaces(interpolation::planes_of(samples), executor).n_members();
}

}  // namespace crinkle
