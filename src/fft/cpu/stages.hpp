// Stockham stages of a length n = Π radices, of several lines at once or of one (Lanes). Radices and roots depend on the length, the type
// and the number of lanes alone, and either way the same operations make a number, so that it has the same bits.
//     lanes are lines      row j has number j of w·lanes lines
//     lanes are numbers    the first stage has neighbouring p in its lanes and is turned as it is stored (FftKernelsOf::across): row p has
//                          its r numbers k, and all later stages take these for lines beside each other; the last row has X in order
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fft/cpu/fft_kernels.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {

/// What the lanes of a vector are: lines of their own, or numbers of one line.
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

template <class T>
class Stages {
 public:
  /// Requires radices (has_radices).
  Stages(std::int64_t n, const simd::FftKernelsOf<T>& kernels, Lanes lanes = Lanes::lines);

  /// Lanes are lines: the transform of rows a[n][w]; in a or b, which are both overwritten. Returns which.
  T* run(T* a, T* b, std::int64_t w) const { return run(0, stages_.size(), a, b, w); }
  /// The same of numbers elsewhere, and to there.
  bool can_begin() const;
  bool can_end() const;  // and begin
  T* run_from(const From<T>& from, T* a, T* b, std::int64_t w) const;
  void run_through(const From<T>& from, T* a, T* b, std::int64_t w, const To<T>& to) const;

  /// Whether lanes can be numbers: the first stage fills a vector at least. Whether its numbers fill all vectors of a row.
  bool has_one_line() const { return !stages_.empty() && stages_.front().m >= kernels_->lanes; }
  bool fills_lanes() const { return !stages_.empty() && stages_.front().radix % kernels_->lanes == 0; }
  /// Elements of each of two buffers for one line; interleaved numbers fit, too.
  std::int64_t line_elements() const;
  /// Lanes are numbers: X of interleaved numbers at `from`, imaginary parts times im, goes times factor to `out`, which may be `from`.
  void run_line(const std::byte* from, T im, T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const;
  /// The same of the numbers in a; X is in a or b. Returns which.
  T* run_line(T* a, T* b) const;

  std::string describe() const;

 private:
  struct Stage {
    std::int64_t radix, m, s;  // of one line's rows s counts vectors
    std::size_t twiddles, roots;
  };
  T* run(std::size_t begin, std::size_t end, T* a, T* b, std::int64_t w) const;
  void add_across(Stage& first);
  T* run_rows(const std::byte* from, T im, T* a, T* b) const;
  void across(const std::byte* from, T im, T* y) const;
  void store(const T* rows, std::byte* out, simd::FftFactor<T> factor) const;

  std::int64_t n_;
  const simd::FftKernelsOf<T>* kernels_;
  std::vector<Stage> stages_;
  std::int64_t n_vectors_ = 1;                   // of a row of one line
  bool can_end_ = false, can_end_line_ = false;  // the last stage can store numbers, of several lines and of one
  std::vector<T> tables_;
};

extern template class Stages<float>;
extern template class Stages<double>;

}  // namespace crinkle::fft
