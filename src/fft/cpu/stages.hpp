// Stockham stages of a length n = Π radices, of several lines at once or of one (Lanes). Radices and roots depend on the length, the type
// and the number of lanes alone, and either way the same operations make a number, so that it has the same bits.
//     lanes are lines      row j has number j of w·lanes lines
//     lanes are numbers    the first stage has neighbouring p in its lanes and is turned as it is stored (FftKernelsOf::across): row p has
//                          its r numbers k, and all later stages take these for lines beside each other; the last row has X in order
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/held_bytes.hpp"
#include "fft/cpu/short_kernels.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {

/// The lanes of a vector are lines of their own, or numbers of one line.
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

/// X of interleaved numbers at `from`, imaginary parts times im, goes times factor to `to`, which may be `from`.
template <class T>
struct OneLine {
  const std::byte* from;
  T im;
  std::byte* to;
  simd::FftFactor<T> factor;
  bool is_far = false;  // `to` is in no cache: its lines are fetched before they are written
};

template <class T>
class Stages {
 public:
  /// Requires radices (has_radices).
  Stages(std::int64_t n, const simd::FftKernelsOf<T>& kernels, Lanes lanes = Lanes::lines);

  std::int64_t n() const { return n_; }
  /// Lanes are lines: the transform of rows a[n][w]; in a or b, which are both overwritten. Returns which.
  T* run(T* a, T* b, std::int64_t w) const { return run(0, stages_.size(), a, b, w); }
  /// The same of numbers elsewhere, and to there.
  bool can_begin() const;
  bool can_end() const;  // and begin
  T* run_from(const From<T>& from, T* a, T* b, std::int64_t w) const;
  void run_through(const From<T>& from, T* a, T* b, std::int64_t w, const To<T>& to) const;

  /// has_one_line: the first stage fills a vector at least, so lanes can be numbers. fills_lanes: its numbers fill all vectors of a row.
  bool has_one_line() const { return !stages_.empty() && stages_.front().m >= kernels_->lanes; }
  bool fills_lanes() const { return !stages_.empty() && stages_.front().radix % kernels_->lanes == 0; }
  /// Elements of each of two buffers for one line; interleaved numbers fit, too.
  std::int64_t line_elements() const;
  /// Lanes are numbers; a and b are overwritten.
  void run_line(const OneLine<T>& line, T* a, T* b) const;
  /// The same in steps: of interleaved numbers in a, to rows in a or b, which is returned; and the first n numbers of rows to `to`.
  T* run_to_rows(T* a, T* b) const;
  void store_rows(const T* rows, std::int64_t n, std::byte* to, simd::FftFactor<T> factor) const {
    return store_rows(rows, n, to, [&](const T* from, std::int64_t n_rows, std::byte* at, std::int64_t stride) {
      kernels_->store_rows(from, n_rows, n_vectors_, at, stride, factor);
    });
  }
  /// The same of rows, whose imaginary parts are multiplied by im, times a table (in_rows).
  void store_products(const T* rows, std::int64_t n, std::byte* to, const std::vector<T>& table, T im, simd::FftFactor<T> factor) const {
    return store_rows(rows, n, to, [&](const T* from, std::int64_t n_rows, std::byte* at, std::int64_t stride) {
      kernels_->store_products(from, n_rows, n_vectors_, at, stride, table.data() + (from - rows), im, factor);
    });
  }
  /// As many rows as hold the numbers, and zeros where rows have none.
  std::vector<T> in_rows(const std::vector<Root<double>>& numbers) const;

  /// Rows of numbers whole in registers, with the same bits: their kernel, or null, and its twiddles.
  typename simd::ShortKernelsOf<T>::Rows short_rows(const simd::ShortKernelsOf<T>& kernels) const;
  const T* first_twiddles() const { return tables_.data(); }

  std::string describe() const;
  std::int64_t held_bytes() const { return held_by(stages_, tables_); }

 private:
  struct Stage {
    std::int64_t radix, m, s;  // of one line's rows s counts vectors
    std::size_t twiddles, roots;
  };
  T* run(std::size_t begin, std::size_t end, T* a, T* b, std::int64_t w) const;
  void add_across(Stage& first);
  void across(const std::byte* from, T im, T* y) const;
  template <class F>
  void store_rows(const T* rows, std::int64_t n, std::byte* to, const F& store) const;

  std::int64_t n_;
  const simd::FftKernelsOf<T>* kernels_;
  std::vector<Stage> stages_;
  std::int64_t n_vectors_ = 1;                   // of a row of one line
  bool can_end_ = false, can_end_line_ = false;  // the last stage can store numbers, of several lines and of one
  std::vector<T> tables_;
};

// Whole vectors, of which each covers what the one before it wrote beyond its row.
template <class T>
template <class F>
void Stages<T>::store_rows(const T* rows, std::int64_t n, std::byte* to, const F& store) const {
  const std::int64_t v = kernels_->lanes, r = stages_.front().radix, w = n_vectors_, number = 2 * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t whole = n < w * v ? 0 : (n - w * v) / r + 1;
  store(rows, whole, to, r * number);
  for (std::int64_t j = whole; j * r < n; ++j) {
    alignas(64) std::byte row[(simd::FftKernelsOf<T>::most_any + 32 / sizeof(T)) * 2 * sizeof(T)];
    store(rows + j * w * 2 * v, 1, row, 0);
    std::copy_n(row, std::min(r, n - j * r) * number, to + j * r * number);
  }
}

extern template class Stages<float>;
extern template class Stages<double>;

}  // namespace crinkle::fft
