// Kernels of cosine and sine transforms (fft/cpu/cosine.hpp), whose lanes are lines, or numbers of one line: one table per instruction set,
// as those of fft_kernels.hpp, with the same lanes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crinkle/fft.hpp"

namespace crinkle::simd {

/// Real numbers of lines: number e of line l is `number`·e + `line`·l bytes behind the first. One of the two strides is a number's size.
struct RealLines {
  std::int64_t number, line;
};

/// What is done to the numbers of all lines alike: X = factor · …, where the number of frequency 0 counts `of_first` more.
template <class T>
struct CosineFactors {
  T factor, of_first;
};

template <class T>
struct CosineKernelsOf {
  static constexpr std::size_t most_whole = 16;

  std::int64_t lanes;

  /// Transforms n_blocks groups of `lanes` lines of N numbers whole in registers; group g begins at in + g·in_block. Of N that are not
  /// built null. In place where both sides are the same.
  struct Blocks {
    RealLines in, out;
    std::int64_t n_blocks, in_block, out_block;
  };
  using Whole = void (*)(const std::byte* in, std::byte* out, const Blocks& blocks, CosineFactors<T> factors);
  std::array<Whole, most_whole + 1> cosines, sines, inverse_cosines, inverse_sines;
  const Whole& whole(std::int64_t n, FftKind kind, FftDirection direction) const {
    const bool is_inverse = direction == FftDirection::inverse, is_sine = kind == FftKind::sine;
    return (is_inverse ? is_sine ? inverse_sines : inverse_cosines : is_sine ? sines : cosines)[static_cast<std::size_t>(n)];
  }

  /// rows[p][w] = (v[2p], v[2p + 1]) of lines x[n], n even, w·lanes side by side or `lanes` rows: v = x[0], x[2], … x[3], x[1], x of odd
  /// places times `odd`, a sign; and back, times re and im.
  void (*load_ordered)(const std::byte* from, RealLines at, std::int64_t n, std::int64_t w, T* rows, T odd);
  void (*store_ordered)(const T* rows, std::int64_t n, std::int64_t w, std::byte* to, RealLines at, T re, T im, T odd);
  /// y[e][lanes] = number e of lines that are rows; and back.
  void (*load_plain)(const std::byte* from, std::int64_t stride, std::int64_t n, T* y);
  void (*store_plain)(const T* y, std::int64_t n, std::byte* to, std::int64_t stride);

  /// Rows V[0 … n/2][w], times factor, become X at `to`, row k at k·stride, with turns[k] = (c, s) of θ = πk/2n:
  ///     X[k] = 2 (re c + im s),   X[n − k] = 2 (re s − im c),   X[0] = of_first · re
  /// and back, to conj V: re = X[k] c + X[n − k] s, im = X[n − k] c − X[k] s, re of V[0] = of_first · X[0].
  void (*turn)(const T* rows, std::int64_t n, std::int64_t w, const T* turns, CosineFactors<T> factors, std::byte* to, std::int64_t stride);
  void (*turn_back)(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t w, const T* turns, T of_first, T* rows);

  /// One line, whose lanes are numbers, the same bits: v[n] in that order of x[n], and back; V[n/2 + 1], interleaved, to X[n] without a
  /// factor, and X to V, with the cosines and sines of θ apart. X of sines lies in the opposite order.
  void (*order_line)(const T* x, std::int64_t n, T* v, T odd);
  void (*order_line_back)(const T* v, std::int64_t n, T* x, T odd);
  void (*turn_line)(const T* V, std::int64_t n, const T* cosines, const T* sines, T of_first, FftKind kind, T* X);
  void (*turn_line_back)(const T* X, std::int64_t n, const T* cosines, const T* sines, T of_first, FftKind kind, T* V);
};

struct CosineKernels {
  const char* target;
  CosineKernelsOf<float> float32;
  CosineKernelsOf<double> float64;

  template <class T>
  const CosineKernelsOf<T>& of() const {
    if constexpr (sizeof(T) == 4) return float32;
    else return float64;
  }

  static const CosineKernels& best();
  static std::vector<const CosineKernels*> all();
};

}  // namespace crinkle::simd
