// Points for tests of pairs, and results between guard zones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "crinkle/pairs.hpp"
#include "support/guard.hpp"

namespace crinkle::testing {

inline constexpr Metric metrics[] = {Metric::euclidean, Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev, Metric::cosine};
inline constexpr PairForm forms[] = {PairForm::condensed, PairForm::packed_lower, PairForm::packed_upper, PairForm::rfp, PairForm::square};
template <class T>
inline constexpr Real real_of = sizeof(T) == 4 ? Real::float32 : Real::float64;

/// Numbers of several sizes and signs, some of them again and again, so that points coincide in features.
template <class T>
std::vector<T> numbers(std::int64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> all;
  for (std::int64_t k = 0; k < n; ++k) {
    const std::uint64_t bits = random();
    const double unit = static_cast<double>(bits >> 12) * 0x1p-52 - 0.5;
    all.push_back(static_cast<T>(bits % 8 == 0 ? static_cast<double>(bits % 3) : bits % 8 == 1 ? 1000 * unit : unit));
  }
  return all;
}

template <class T>
ConstBuffer buffer_of(const std::vector<T>& numbers) {
  return {numbers.data(), static_cast<std::int64_t>(numbers.size() * sizeof(T))};
}
template <class T>
Points points_of(const std::vector<T>& numbers, std::int64_t n_features) {
  return {buffer_of(numbers), real_of<T>, std::ssize(numbers) / n_features, n_features};
}

/// What `act` writes to a buffer of so many numbers, poison where it writes nothing, `shift` bytes behind a multiple of 64. Fails when it
/// writes beside it.
template <class T, class Act>
std::vector<T> written(std::int64_t bytes, std::int64_t shift, const Act& act) {
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes + 4 * 64), poison);
  std::byte* out = memory.data() + 64;
  out += (64 - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % 64)) % 64 + shift;
  act(out);
  std::vector<T> result(static_cast<std::size_t>(bytes) / sizeof(T));
  if (bytes > 0) std::memcpy(result.data(), out, static_cast<std::size_t>(bytes));
  for (const std::byte* b = memory.data(); b < memory.data() + memory.size(); ++b) {
    if (*b != poison && (b < out || b >= out + bytes)) ADD_FAILURE() << "byte " << b - out << " beside " << bytes << " is written";
  }
  return result;
}

/// The same bits, or both NaN, whose payloads differ between instruction sets.
template <class T>
bool is_same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
std::int64_t first_difference(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return std::ssize(a);
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!is_same(a[k], b[k])) return static_cast<std::int64_t>(k);
  return -1;
}

}  // namespace crinkle::testing
