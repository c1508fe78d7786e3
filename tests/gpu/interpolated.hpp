// What a GPU makes of samples and targets, for tests of interpolation.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "interpolate/support.hpp"
#include "on_gpu.hpp"

namespace crinkle::testing {

/// Numbers in the memory of the GPU.
template <class T>
Lent on_device(const std::vector<T>& numbers) {
  const std::int64_t bytes = std::ssize(numbers) * static_cast<std::int64_t>(sizeof(T));
  Lent memory(bytes);
  copy_bytes({numbers.data(), bytes}, memory);
  return memory;
}

/// What the GPU makes of targets, in n numbers between two guards.
template <class T, class Targets>
std::vector<T> run_guarded(const Interpolator& interpolator, const Targets& targets, std::int64_t n) {
  constexpr std::size_t guard = 32;
  std::vector<T> numbers(static_cast<std::size_t>(n) + 2 * guard, T{-77});
  const Lent memory = on_device(numbers);
  const Stream stream(cuda());
  interpolator.run(targets, std::span<T>(static_cast<T*>(memory.data()) + guard, static_cast<std::size_t>(n)), stream);
  stream.synchronize();
  copy_bytes(memory, {numbers.data(), memory.bytes()});
  for (std::size_t i = 0; i < guard; ++i) {
    EXPECT_EQ(numbers[i], T{-77}) << "before the output";
    EXPECT_EQ(numbers[numbers.size() - 1 - i], T{-77}) << "behind the output";
  }
  return std::vector<T>(numbers.begin() + guard, numbers.end() - guard);
}

template <class T, class Place = double>
std::vector<T> gpu_values(const Cloud& c, const std::vector<Place>& places, const Interpolation& how) {
  const Interpolator interpolator(c.samples(), how, cuda());
  const Lent there = on_device(places);
  const Reals reals(std::span(static_cast<const Place*>(there.data()), places.size()));
  return run_guarded<T>(interpolator, reals, std::ssize(places) / c.n_dimensions * c.n_columns);
}

}  // namespace crinkle::testing
