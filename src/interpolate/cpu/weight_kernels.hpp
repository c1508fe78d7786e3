// The innermost loops of inverse-distance sums, one table of functions per instruction set, chosen as those of kernels.hpp. Lanes are
// targets; every sample is broadcast to them:
//     s = |q − x|² + s0,    weight_sums[q] += w(s),    value_sums[c][q] += w(s) · values[c].
// Sums of float32 run over `samples_together` samples at most, a run, then go to float64. The order of the samples alone decides the
// result.
//
// Places of float32 are relative to the origin o of their run, in its middle, and in two halves, x = high + low. Where all targets of a few
// vectors are some radii of the run away, q − o and x lose nothing that counts by being rounded to float32; nearer, the low halves count,
// too. float64 places need none of this.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace crinkle::simd {

/// w(s) = s^(−p/2). `one` to `four` are p; `whole` is a whole p, `any` any; both take s · scale of the target instead of s. Weights
/// of float32 beyond 2^±124 are that where p is any.
enum class WeightRule : std::uint8_t { one, two, three, four, whole, any };
inline constexpr int n_weight_rules = 6;

template <class T>
struct WeightRange {
  static constexpr std::int64_t targets_together = 64, samples_together = 64;
  static constexpr int most_columns = 4;

  const T* place[3] = {};   // [end]: planes of the samples
  const T* values[4] = {};  // [end]: columns
  const T* target[3] = {};  // [n_targets]
  // Only float32 has these:
  const T* low[3] = {};                          // [end]: what rounding left of the places
  const T* target_low[3] = {};                   // [n_targets]
  const T *origin[3] = {}, *origin_low[3] = {};  // [⌈end / samples_together⌉]
  const T* square_radius = nullptr;              // likewise: what |x|² is at most
  const T* scale = nullptr;                      // [n_targets], of rules `whole` and `any`
  std::int64_t n_targets = 0;                    // a multiple of targets_together
  std::int64_t begin = 0, end = 0;
  T smoothing = 0;                // s0, a square
  T half_power = 0;               // of `any`: p/2
  std::int64_t whole = 0;         // of `whole`: p
  double* weight_sums = nullptr;  // [n_targets]
  double* value_sums[4] = {};     // [n_targets] each
  T* least = nullptr;             // [n_targets], of LeastSquares
};

template <class T>
using AddWeights = void (*)(const WeightRange<T>& range);
/// least[q] = min(least[q], s) over the samples.
template <class T>
using LeastSquares = void (*)(const WeightRange<T>& range);

/// Kernels, numbered by dimensions − 2 and by whether there are four columns or one.
template <class T>
struct WeightKernelsOf {
  AddWeights<T> add[2][2][n_weight_rules];
  LeastSquares<T> least[2];
};

struct WeightKernels {
  const char* target;
  WeightKernelsOf<float> float32;
  WeightKernelsOf<double> float64;

  template <class T>
  const WeightKernelsOf<T>& of() const {
    if constexpr (sizeof(T) == 4) return float32;
    else return float64;
  }

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const WeightKernels& best();
  static std::vector<const WeightKernels*> all();
};

}  // namespace crinkle::simd
