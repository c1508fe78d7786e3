// The transform of a real line of an odd length n = r·m in half the work of a complex one, and back. With t = r j + i and
// k = k₁ + m q, x[t] real, X[n − k] = conj X[k],
//     Z_c[k₁] = Σ_j (x[r j + 2c] + i x[r j + 2c + 1]) W_m^{jk₁}         columns: c ≤ r/2, the last one without an imaginary part
//     X[k₁ + m q] = Σ_i W_n^{ik₁} Y_i[k₁] W_r^{iq},  k₁ ≤ m/2          numbers: Y_2c, Y_2c+1 = the halves of Z_c[k₁] ± conj Z_c[m − k₁]
// so that half of all k₁ give all of X, half of it as its mirror image. Back, the same steps in the opposite order. Columns lie side by
// side in lanes, and so do numbers k₁; both come in groups that a cache holds, of which each thread may do any.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fft/cpu/odd_kernels.hpp"
#include "fft/cpu/stages.hpp"

namespace crinkle::fft {

/// r of an odd n that is long enough and has two such factors with radices; 0 for all others.
std::int64_t odd_factor(std::int64_t n);

template <class T>
class OddLine {
 public:
  /// Requires odd_factor(n) > 0. The tables are of one instruction set.
  OddLine(std::int64_t n, const simd::FftKernelsOf<T>& kernels, const simd::OddKernelsOf<T>& odd);

  /// Elements of Z, which lies between the two steps, and of what a thread needs for a group.
  std::int64_t between_elements() const { return (m_ + 1) * z_row_; }
  std::int64_t scratch_elements() const;
  std::int64_t n_column_groups() const { return (n_full_ + w_columns_ - 1) / w_columns_ + 1; }
  std::int64_t n_number_groups() const { return (n_blocks_ + w_numbers_ - 1) / w_numbers_ + (n_rest_ > 0 ? 1 : 0); }

  /// x[n] to Z, and Z to X[n/2 + 1], interleaved, times factor: all groups of one, then all of the other. X[0] is real.
  void columns(std::int64_t group, const std::byte* x, T* z, T* scratch) const;
  void numbers(std::int64_t group, const T* z, std::byte* to, simd::FftFactor<T> factor, T* scratch) const;
  /// X, imaginary parts times im, that of X[0] is not looked at, to Z, and Z to x, times factor.
  void numbers_back(std::int64_t group, const std::byte* from, T im, T* z, T* scratch) const;
  void columns_back(std::int64_t group, const T* z, T factor, std::byte* x, T* scratch) const;

  std::string describe() const;
  std::int64_t held_bytes() const { return held_by(columns_, numbers_, twiddles_); }

 private:
  struct Group {
    std::int64_t first, w;  // of vectors
    bool is_rest;           // of less than a vector
  };
  Group column_group(std::int64_t group) const;
  Group number_group(std::int64_t group) const;
  const T* twiddles_of(std::int64_t block) const { return twiddles_.data() + block * (r_ - 1) * 2 * kernels_->lanes; }
  void put_numbers(const Group& group, const T* rows, std::byte* to, simd::FftFactor<T> factor, T* copies) const;
  void get_numbers(const Group& group, const std::byte* from, T im, T* rows, T* copies) const;
  void put_lines(const Group& group, std::int64_t q, T* a, T* b, T* z, T* copies) const;
  static T* transform(const Stages<T>& stages, const From<T>& from, const simd::FftKernelsOf<T>& kernels, T* a, T* b, std::int64_t w);

  std::int64_t r_, m_;
  const simd::FftKernelsOf<T>* kernels_;
  const simd::OddKernelsOf<T>* odd_;
  Stages<T> columns_, numbers_;              // of m and r
  std::int64_t n_full_, n_blocks_, n_rest_;  // vectors of whole columns; of numbers k₁, and those behind them
  std::int64_t z_row_;                       // elements of Z's rows, of which the last repeats the first
  std::int64_t w_columns_ = 1, w_numbers_ = 1;
  std::vector<T> twiddles_;  // [block][r − 1] vectors W_n^{ik₁}
};

extern template class OddLine<float>;
extern template class OddLine<double>;

}  // namespace crinkle::fft
