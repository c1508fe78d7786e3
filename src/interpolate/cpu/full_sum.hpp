// Sums over all samples: targets in chunks, whose lanes go through all samples together (interpolate/cpu/weight_kernels.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crinkle/executor.hpp"
#include "interpolate/planes.hpp"

namespace crinkle::interpolation {

/// Finds the samples that lie exactly on a place, by binary search in the order of x, then y, then z.
class Coincident {
 public:
  explicit Coincident(const SamplePlanes& samples);
  /// Samples on q, lowest index first.
  std::span<const std::int64_t> at(const std::array<double, 3>& q) const;

 private:
  const SamplePlanes& samples_;
  std::vector<std::int64_t> order_;
};

class FullSum {
 public:
  /// Requires `samples` to stay where they are.
  FullSum(const SamplePlanes& samples, const Interpolation& how) : samples_(samples), how_(how), coincident_(samples) {}

  /// out[c · n_targets + t], computed in T.
  template <class T>
  void run(const Targets& targets, std::span<T> out, Executor& executor) const;
  /// predictions[c · n + i] of every sample from all others, in float64.
  void leave_one_out(double power, std::span<double> predictions, Executor& executor) const;

  /// to[c · pitch] = column c at q, in float64, by distances relative to the nearest one: right wherever q lies. `left_out` does not count.
  void scan(const std::array<double, 3>& q, double power, std::int64_t left_out, double* to, std::int64_t pitch) const;

 private:
  const SamplePlanes& samples_;
  Interpolation how_;
  Coincident coincident_;
};

}  // namespace crinkle::interpolation
