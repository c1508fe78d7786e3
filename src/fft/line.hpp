// The transform of lines of one length in scratch memory, forward and without a factor: radices of Stockham stages, or Bluestein's
// convolution where a length has a large prime factor.
//     Bluestein: nk = (n² + k² − (k − n)²)/2, so X[k] = c[k] Σ_n (x[n] c[n]) conj c[k − n] with c[n] = exp(−πi n²/N), a convolution of any
//     length M ≥ 2N − 1.
// Source: L. Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu/fft_kernels.hpp"

namespace crinkle::fft {

/// What the lanes of a vector are: lines of their own, or numbers of one line that follow each other.
enum class Lanes : std::uint8_t { lines, numbers };

/// Stages of n = Π radices: rows of any number of vectors.
template <class T>
class Stages {
 public:
  Stages(std::int64_t n, const simd::FftKernelsOf<T>& kernels);

  /// The transform of rows a[n][w]; in a or b, which are both overwritten. Returns which.
  T* run(T* a, T* b, std::int64_t w) const;
  std::string describe() const;

 private:
  struct Stage {
    std::int64_t radix, m, s;
    std::size_t twiddles, roots;
  };
  const simd::FftKernelsOf<T>* kernels_;
  std::vector<Stage> stages_;
  std::vector<T> tables_;
};

template <class T>
class Line {
 public:
  Line(std::int64_t n, Lanes lanes, const simd::FftKernelsOf<T>& kernels);

  std::int64_t n() const { return n_; }
  /// Rows that each of the two buffers has room for; of `lanes` numbers where lanes are numbers. Rows behind those of n may hold anything.
  std::int64_t n_rows() const { return n_rows_; }

  /// Lanes are lines: rows a[n][w], at 0, become their transform, in a or b. Returns which.
  T* run_rows(T* a, T* b, std::int64_t w) const;
  /// Lanes are numbers: x[j] in row j / lanes. X goes, times factor, to `out`, n interleaved numbers.
  void run_numbers(T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const;

  std::string describe() const;

 private:
  struct Chirp {
    std::unique_ptr<Line> whole;   // of M
    std::vector<T> chirp, kernel;  // c[N] and the transform of conj c, over M: as interleaved numbers, or as rows
  };

  T* convolve(T* a, T* b, std::int64_t w) const;
  T* run_to_rows(T* a, T* b) const;  // lanes are numbers, and n a multiple of lanes²
  void make_chirp();

  std::int64_t n_, n_rows_ = 0;
  Lanes lanes_;
  const simd::FftKernelsOf<T>* kernels_;
  std::unique_ptr<Stages<T>> stages_;  // of n, or of n / lanes
  std::vector<T> across_;              // twiddles between lanes
  std::unique_ptr<Chirp> chirp_;
};

extern template class Stages<float>;
extern template class Stages<double>;
extern template class Line<float>;
extern template class Line<double>;

}  // namespace crinkle::fft
