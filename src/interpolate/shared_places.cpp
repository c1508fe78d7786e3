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
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

SharedPlaces::SharedPlaces(const SamplePlanes& samples, Executor& executor) {
  using Noted = std::pair<std::uint64_t, std::int64_t>;  // slot, sample
  constexpr std::int64_t part = 1 << 11, ahead = 16;     // slots are asked for before they are needed
  constexpr std::uint64_t sample_bits = 40, sample_mask = (std::uint64_t{1} << sample_bits) - 1, vacant = ~std::uint64_t{0};
  const std::int64_t n = samples.n;                                       // below 2^40: more have no memory
  std::vector<std::uint64_t> table(std::bit_ceil(2 * index(n)), vacant);  // a sample under bits of the hash: others are not looked at
  const std::uint64_t mask = table.size() - 1;
  std::vector<std::vector<Noted>> parts(index(ceil_divide(n, part)));
  const auto put = [&](std::int64_t i, std::uint64_t hash, std::vector<Noted>& noted) {
    const std::uint64_t mine = (hash & ~sample_mask) | index(i);
    for (std::uint64_t slot = hash & mask;; slot = (slot + 1) & mask) {
      const std::atomic_ref<std::uint64_t> entry(table[slot]);
      std::uint64_t there = entry.load(std::memory_order_relaxed);
      if (there == vacant && entry.compare_exchange_strong(there, mine, std::memory_order_relaxed)) return;
      if (((there ^ mine) & ~sample_mask) != 0 || samples.place(static_cast<std::int64_t>(there & sample_mask)) != samples.place(i))
        continue;
      noted.emplace_back(slot, i);
      return;
    }
  };
  executor.parallel_for(std::ssize(parts), [&](std::int64_t k) {
    const std::int64_t begin = k * part, end = std::min(n, begin + part);
    std::array<std::uint64_t, ahead> hashes{};
    for (std::int64_t next = begin; next < end + ahead; ++next) {
      std::uint64_t& hash = hashes[index(next % ahead)];
      if (const std::int64_t i = next - ahead; i >= begin) put(i, hash, parts[index(k)]);
      if (next >= end) continue;
      hash = hash_of(samples.place(next));
      __builtin_prefetch(&table[hash & mask], 1);
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
    members_.push_back(static_cast<std::int64_t>(table[slot] & sample_mask));
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
