// The transform of lines of one length in scratch memory, forward and without a factor: stages, or where a length has a large prime factor
// a convolution, Rader's (fft/rader.hpp) for a prime N whose N − 1 has radices, else Bluestein's (fft/chirp.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fft/cpu/stages.hpp"

namespace crinkle::fft {

template <class T>
class Line {
 public:
  Line(std::int64_t n, Lanes lanes, const simd::FftKernelsOf<T>& kernels);

  std::int64_t n() const { return n_; }
  /// Lanes are lines: rows that each of the two buffers has room for. Those behind n may hold anything.
  std::int64_t n_rows() const { return n_rows_; }
  /// Rows a[n][w], at 0, become their transform, in a or b. Returns which.
  T* run_rows(T* a, T* b, std::int64_t w) const;
  T* run_from(const From<T>& from, T* a, T* b, std::int64_t w) const { return stages_->run_from(from, a, b, w); }
  bool can_run_through() const { return stages_ && stages_->can_end(); }
  void run_through(const From<T>& from, T* a, T* b, std::int64_t w, const To<T>& to) const { stages_->run_through(from, a, b, w, to); }

  typename simd::ShortKernelsOf<T>::Rows short_rows(const simd::ShortKernelsOf<T>& kernels) const {
    return stages_ ? stages_->short_rows(kernels) : nullptr;
  }
  const T* first_twiddles() const { return stages_->first_twiddles(); }

  /// Lanes are numbers, where they can be: elements of each of the two buffers; interleaved numbers fit, too.
  bool has_one_line() const { return stages_ ? stages_->has_one_line() : chirp_->whole->has_one_line(); }
  std::int64_t line_elements() const { return stages_ ? stages_->line_elements() : chirp_->whole->line_elements(); }
  void run_line(const OneLine<T>& line, T* a, T* b) const;

  std::string describe() const;
  std::int64_t held_bytes() const { return held_by(stages_, chirp_); }

 private:
  struct Convolution {
    std::unique_ptr<Stages<T>> whole;  // of M
    std::int64_t m = 1;
    std::vector<T> chirp, kernel;      // c[N] and the transform of conj c, over M: interleaved numbers, or as rows of one line
    std::vector<T> chirp_vectors;      // c[N] as vectors
    std::vector<std::int64_t> powers;  // of Rader's, whose M is N − 1 and which has no chirp
  };

  std::vector<T> table_of(const std::vector<Root<double>>& numbers) const;
  void make_chirp();
  void make_powers();
  T* convolve(T* a, T* b, std::int64_t w) const;
  T* convolve_powers(T* a, T* b, std::int64_t w) const;
  void convolve(const OneLine<T>& line, T* a, T* b) const;
  void convolve_powers(const OneLine<T>& line, T* a, T* b) const;

  std::int64_t n_, n_rows_ = 0;
  Lanes lanes_;
  const simd::FftKernelsOf<T>* kernels_;
  std::unique_ptr<Stages<T>> stages_;
  std::unique_ptr<Convolution> chirp_;
};

extern template class Line<float>;
extern template class Line<double>;

}  // namespace crinkle::fft
