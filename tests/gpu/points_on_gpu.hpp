// Numbers of points in a GPU's memory, for tests of pairs and triplets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <vector>

#include "crinkle/pairs.hpp"
#include "on_gpu.hpp"
#include "pairs/reference.hpp"

namespace crinkle::testing::pairs_test {

using Gpu = OnGpu;

inline constexpr Metric metrics[] = {Metric::euclidean, Metric::sqeuclidean, Metric::manhattan, Metric::chebyshev, Metric::cosine};

template <class T>
constexpr Real real = sizeof(T) == 4 ? Real::float32 : Real::float64;

template <class T>
std::vector<T> random_numbers(std::int64_t n, std::uint64_t seed, double scale = 1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(0, scale);
  std::vector<T> all(static_cast<std::size_t>(n));
  for (T& v : all) v = static_cast<T>(any(random));
  return all;
}

/// A copy in the device's memory, so many elements past an aligned address.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values, std::int64_t shift = 0)
      : bytes_(std::ssize(values) * std::int64_t{sizeof(T)}), memory_(bytes_ + (shift + 1) * std::int64_t{sizeof(T)}), shift_(shift) {
    copy_bytes({values.data(), bytes_}, {data(), bytes_});
  }
  T* data() const { return static_cast<T*>(memory_.data()) + shift_; }
  operator ConstBuffer() const { return {data(), bytes_}; }  // NOLINT: it is one

 private:
  std::int64_t bytes_;
  Lent memory_;
  std::int64_t shift_;
};

}  // namespace crinkle::testing::pairs_test
