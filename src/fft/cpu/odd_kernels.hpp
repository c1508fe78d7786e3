// Kernels of real transforms of an odd length (fft/cpu/odd_line.hpp), whose lanes are numbers k: one table per instruction set, with the
// lanes of fft_kernels.hpp. Rows of vectors lie `row` elements apart.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "fft/cpu/fft_kernels.hpp"

namespace crinkle::simd {

template <class T>
struct OddKernelsOf {
  std::int64_t lanes;

  /// With a = z[c] and b = conj mirrored[c], rows of one vector each, for c ≤ r/2, r odd:
  ///     rows[2c] = (a + b) w[2c],   rows[2c + 1] = −i (a − b) w[2c + 1]
  /// `twiddles` has the vectors w[1 … r − 1]; w[0] = 1, and there is no row r.
  void (*part)(const T* z, const T* mirrored, std::int64_t r, const T* twiddles, T* rows, std::int64_t row);
  /// The way back: with p = rows[2c] w[2c] and q = rows[2c + 1] w[2c + 1], 0 for row r, z[c] = p + i q, mirrored[c] = conj p + i conj q.
  void (*join)(const T* rows, std::int64_t row, std::int64_t r, const T* twiddles, T* z, T* mirrored);

  /// Lane l of vector q of row j < n is the number at `at` + j·stride, l + q·lanes numbers before it: times factor, which may conjugate.
  void (*store_mirrored)(const T* rows, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, FftFactor<T> factor);
  void (*load_mirrored)(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t w, T* rows, FftFactor<T> factor);
};

struct OddKernels {
  const char* target;
  OddKernelsOf<float> float32;
  OddKernelsOf<double> float64;

  template <class T>
  const OddKernelsOf<T>& of() const {
    if constexpr (sizeof(T) == 4) return float32;
    else return float64;
  }

  static const OddKernels& best();
  static std::vector<const OddKernels*> all();
};

}  // namespace crinkle::simd
