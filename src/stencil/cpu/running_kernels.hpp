// The loops of running sums, one table of functions per instruction set, chosen as those of cpu/kernels.hpp. The same bits on all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/number.hpp"

namespace crinkle::simd {

inline constexpr std::int64_t running_padding = 64;  // numbers behind the last one of sums, which may be read and written

struct RunningKernels {
  /// Of elements of one type, side by side at any address.
  struct Element {
    Number number;
    /// sums[i] += times · from[i].
    void (*add)(const std::byte* from, std::int64_t n, std::int32_t times, std::int32_t* sums);
    /// sums[i] += in[i] − out[i].
    void (*exchange)(const std::byte* in, const std::byte* out, std::int64_t n, std::int32_t* sums);
    /// to[i] = sums[i] · factor, rounded half to even and saturated; the product in float32, or in float64.
    void (*scale_float32)(const std::int32_t* sums, std::int64_t n, double factor, std::byte* to);
    void (*scale_float64)(const std::int32_t* sums, std::int64_t n, double factor, std::byte* to);
  };
  const char* target;
  Element elements[3];
  /// to[x · width + e] = Σ_k from[(x + k) · width + e], 0 ≤ k < n_summed, 0 ≤ x < n_cells, 0 ≤ e < width.
  void (*slide)(const std::int32_t* from, std::int64_t n_cells, std::int64_t width, std::int64_t n_summed, std::int32_t* to);

  /// Requires uint8, int16 or uint16.
  const Element& of(Number number) const;

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const RunningKernels& best();
  static std::vector<const RunningKernels*> all();
};

}  // namespace crinkle::simd
