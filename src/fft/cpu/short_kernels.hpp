// Kernels of short complex lines that are rows, whole in registers, lanes are lines: one table per instruction set, with the lanes and the
// bits of fft_kernels.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/cpu/fft_kernels.hpp"

namespace crinkle::simd {

/// Interleaved numbers of rows, `line` bytes apart.
template <class Byte>
struct NumberRows {
  Byte* at;
  std::int64_t line;
};

template <class T>
struct ShortKernelsOf {
  static constexpr std::size_t most_radix = 8;

  std::int64_t lanes;

  /// The transforms of n_groups · lanes rows of A·B numbers by stages of A and B, or of A alone where B is 1; imaginary parts times im, the
  /// results times factor. `twiddles` is the first stage's. In place where both sides are the same. Null for radices that are not built.
  using Rows = void (*)(NumberRows<const std::byte> from, NumberRows<std::byte> to, std::int64_t n_groups, const T* twiddles, T im,
                        FftFactor<T> factor);
  std::array<std::array<Rows, most_radix + 1>, most_radix + 1> rows;
};

struct ShortKernels {
  const char* target;
  ShortKernelsOf<float> float32;
  ShortKernelsOf<double> float64;

  template <class T>
  const ShortKernelsOf<T>& of() const {
    if constexpr (sizeof(T) == 4) return float32;
    else return float64;
  }

  static const ShortKernels& best();
  static std::vector<const ShortKernels*> all();
};

}  // namespace crinkle::simd
