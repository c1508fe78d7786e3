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

SharedPlaces::SharedPlaces(const SamplePlanes& samples, Executor& executor, std::int64_t most) {
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
  if (most == 0 || n_members() <= most) return;
  std::vector<std::int64_t> left_out;
  for (std::int64_t place = 0; place < n_places(); ++place)
    for (const std::int64_t i : members(place).subspan(std::min(members(place).size(), index(most)))) left_out.push_back(i);
  if (left_out.empty()) return;
  std::sort(left_out.begin(), left_out.end());
  kept_.reserve(index(n) - left_out.size());
  auto next = left_out.begin();
  for (std::int64_t i = 0; i < n; ++i) {
    if (next != left_out.end() && *next == i) ++next;
    else kept_.push_back(i);
  }
}

std::int64_t SharedPlaces::kept_number(std::int64_t sample) const {
  if (kept_.empty()) return sample;
  const auto at = std::lower_bound(kept_.begin(), kept_.end(), sample);
  return at != kept_.end() && *at == sample ? at - kept_.begin() : dropped;
}

SamplePlanes SharedPlaces::merged(SamplePlanes samples) const {
  for (std::int64_t place = 0; place < n_places(); ++place) {
    const auto all = members(place);
    double weights = 0;
    for (const std::int64_t i : all) weights += samples.weight(i);
    for (std::size_t c = 0; c < samples.values.size(); ++c) {
      std::vector<double>& values = samples.values[c];
      const double zero = values[index(all[0])];
      double sum = 0;
      for (const std::int64_t i : all) sum += samples.weight(i) * (values[index(i)] - zero);
      const double mean = std::clamp(zero + sum / weights, samples.least[c], samples.most[c]);
      for (const std::int64_t i : all) values[index(i)] = mean;
    }
    for (const std::int64_t i : all)
      if (!samples.weights.empty()) samples.weights[index(i)] = weights / static_cast<double>(all.size());
  }
  if (kept_.empty()) return samples;
  const auto keep = [&](std::vector<double>& numbers) {
    if (numbers.empty()) return;
    for (std::size_t k = 0; k < kept_.size(); ++k) numbers[k] = numbers[index(kept_[k])];
    numbers.resize(kept_.size());
  };
  for (std::vector<double>& coordinates : samples.places) keep(coordinates);
  for (std::vector<double>& values : samples.values) keep(values);
  keep(samples.weights);
  samples.n = std::ssize(kept_);
  return samples;
}

// Samples before a sample are added up relative to the first, those behind it relative to the last: if all others have one value, the
// mean is exact, whatever the sample's own is.
SamplePlanes SharedPlaces::others(SamplePlanes samples) const {
  std::vector<double> behind, weights_behind;
  const std::vector<double> given = samples.weights;
  const auto weight = [&](std::int64_t i) { return given.empty() ? 1 : given[index(i)]; };
  for (std::int64_t place = 0; place < n_places(); ++place) {
    const auto all = members(place);
    weights_behind.assign(all.size(), 0);
    behind.resize(all.size());
    for (std::size_t j = all.size() - 1; j > 0; --j) weights_behind[j - 1] = weights_behind[j] + weight(all[j]);
    double before = 0;
    for (std::size_t j = 0; j < all.size() && !given.empty(); before += weight(all[j++]))
      samples.weights[index(all[j])] = (before + weights_behind[j]) / static_cast<double>(all.size() - 1);
    for (std::size_t c = 0; c < samples.values.size(); ++c) {
      std::vector<double>& values = samples.values[c];
      const double first = values[index(all.front())], last = values[index(all.back())];
      behind.back() = 0;
      for (std::size_t j = all.size() - 1; j > 0; --j) behind[j - 1] = behind[j] + weight(all[j]) * (values[index(all[j])] - last);
      double sum = 0, weights = 0;
      for (std::size_t j = 0; j < all.size(); ++j) {
        double& value = values[index(all[j])];
        const double own = value;
        const double away = j == 0 ? behind[j] : sum + behind[j] + weights_behind[j] * (last - first);
        value = std::clamp((j == 0 ? last : first) + away / (weights + weights_behind[j]), samples.least[c], samples.most[c]);
        sum += weight(all[j]) * (own - first);
        weights += weight(all[j]);
      }
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
