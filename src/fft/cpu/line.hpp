// The transform of lines of one length in scratch memory, forward and without a factor: radices of Stockham stages, or where a length has
// a large prime factor a convolution, Rader's (fft/cpu/rader.hpp) for several lines of a prime N whose N − 1 has radices, else Bluestein's
// (fft/chirp.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fft/cpu/fft_kernels.hpp"

namespace crinkle::fft {

/// What the lanes of a vector are: lines of their own, or numbers of one line that follow each other.
enum class Lanes : std::uint8_t { lines, numbers };

/// Interleaved complex numbers at `at`: rows of them, `stride` bytes apart.
template <class T>
struct From {
  const std::byte* at;
  std::int64_t stride;
  T im;  // by which imaginary parts are multiplied
};
template <class T>
struct To {
  std::byte* at;
  std::int64_t stride;
  simd::FftFactor<T> factor;
};

/// Stages of n = Π radices: rows of any number of vectors.
template <class T>
class Stages {
 public:
  Stages(std::int64_t n, const simd::FftKernelsOf<T>& kernels);

  /// The transform of rows a[n][w]; in a or b, which are both overwritten. Returns which.
  T* run(T* a, T* b, std::int64_t w) const { return run(0, stages_.size(), a, b, w); }
  /// The same of numbers elsewhere, and to there.
  bool can_begin() const;
  bool can_end() const;  // and begin
  T* run_from(const From<T>& from, T* a, T* b, std::int64_t w) const;
  void run_through(const From<T>& from, T* a, T* b, std::int64_t w, const To<T>& to) const;
  std::string describe() const;

 private:
  struct Stage {
    std::int64_t radix, m, s;
    std::size_t twiddles, roots;
  };
  T* run(std::size_t begin, std::size_t end, T* a, T* b, std::int64_t w) const;

  const simd::FftKernelsOf<T>* kernels_;
  std::vector<Stage> stages_;
  std::vector<T> tables_;
};

template <class T>
class Line {
 public:
  Line(std::int64_t n, Lanes lanes, const simd::FftKernelsOf<T>& kernels);

  std::int64_t n() const { return n_; }
  /// Rows that each of the two buffers has room for. Those behind n may hold anything.
  std::int64_t n_rows() const { return n_rows_; }

  /// Lanes are lines: rows a[n][w], at 0, become their transform, in a or b. Returns which.
  T* run_rows(T* a, T* b, std::int64_t w) const;
  T* run_from(const From<T>& from, T* a, T* b, std::int64_t w) const { return stages_->run_from(from, a, b, w); }
  bool can_run_through() const { return stages_ && stages_->can_end(); }
  void run_through(const From<T>& from, T* a, T* b, std::int64_t w, const To<T>& to) const { stages_->run_through(from, a, b, w, to); }

  /// Lanes are numbers: row j, of n_vectors(), has the numbers x[j·n_numbers() …]. X goes, times factor, to `out`, interleaved.
  std::int64_t n_numbers() const { return n_numbers_; }
  std::int64_t n_vectors() const { return n_vectors_; }
  void run_numbers(T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const;
  /// The same from interleaved numbers.
  bool can_begin() const { return stages_ && n_numbers_ == kernels_->lanes && stages_->can_begin(); }
  void run_numbers(const std::byte* from, T im, T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const;

  std::string describe() const;

 private:
  struct Convolution {
    std::unique_ptr<Line> whole;       // of M
    std::vector<T> chirp, kernel;      // c[N] and the transform of conj c, over M: as interleaved numbers, or as rows
    std::vector<std::int64_t> powers;  // of Rader's, whose M is N − 1 and which has no chirp
  };

  void choose_numbers();
  void make_across();
  void make_chirp();
  void make_powers();
  T* convolve(T* a, T* b, std::int64_t w) const;
  T* convolve_powers(T* a, T* b, std::int64_t w) const;
  T* run_to_rows(T* a, T* b) const;  // lanes are numbers, and n a multiple of lanes²
  void across(const T* x, std::byte* out, simd::FftFactor<T> factor) const;

  std::int64_t n_, n_rows_ = 0, n_numbers_ = 1, n_vectors_ = 1;
  Lanes lanes_;
  const simd::FftKernelsOf<T>* kernels_;
  std::unique_ptr<Stages<T>> stages_;     // of n, or of n / n_numbers
  std::vector<T> across_, across_roots_;  // twiddles between lanes; of a DFT of n_numbers
  std::unique_ptr<Convolution> chirp_;
};

extern template class Stages<float>;
extern template class Stages<double>;
extern template class Line<float>;
extern template class Line<double>;

}  // namespace crinkle::fft
