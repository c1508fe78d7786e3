// The innermost loops of Fourier transforms, one table of functions per instruction set, chosen as those of kernels.hpp.
//
// Numbers lie in rows of vectors, real and imaginary parts apart: a row of w vectors is [re × lanes][im × lanes], w times. Lanes never meet
// in a stage, so that they may be lines of a batch (a row is one index of all lines), or the numbers k of one line behind its first stage
// (`across`). Either way a line's numbers go through the same operations, so that they have the same bits.
// Source: the stages are Stockham's, as in C. Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, section 1.7.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crinkle::simd {

/// x · (1, im): what loads and stores do to a number's parts. Conjugation is im = −re.
template <class T>
struct FftFactor {
  T re = 1, im = 1;
};

template <class T>
struct FftKernelsOf {
  static constexpr std::size_t most_radix = 16;

  std::int64_t lanes;

  /// y[q + s(r p + k)] = W_{rm}^{pk} Σ_i x[q + s(p + i m)] W_r^{ik}, for q < s, p < m, k < r; indices count vectors. `twiddles` has
  /// W_{rm}^{pk} for p = 1 … m − 1 and k = 1 … r − 1. stages[r] is null for radices that are not built.
  using Stage = void (*)(const T* x, T* y, std::int64_t m, std::int64_t s, const T* twiddles);
  std::array<Stage, most_radix + 1> stages;
  /// The first stage of interleaved numbers at from + j·stride, j < r m, each row w vectors, whose imaginary parts are multiplied by im;
  /// and the last one, of r n rows, m = 1, to such numbers, multiplied by factor. Null for radices that are not built.
  using FirstStage = void (*)(const std::byte* from, std::int64_t stride, T* y, std::int64_t m, std::int64_t w, const T* twiddles, T im);
  using LastStage = void (*)(const T* x, std::byte* to, std::int64_t stride, std::int64_t n, std::int64_t w, FftFactor<T> factor);
  std::array<FirstStage, most_radix + 1> first_stages;
  std::array<LastStage, most_radix + 1> last_stages;
  /// stages for any odd r ≤ most_any; `roots` has cos and sin of 2πk/r for k < r.
  static constexpr std::int64_t most_any = 61;
  void (*any_stage)(const T* x, T* y, std::int64_t r, std::int64_t m, std::int64_t s, const T* twiddles, const T* roots);

  /// The first stage of one line, whose lanes are numbers: from interleaved numbers x[r m], imaginary parts times im,
  ///     y[p][k] = W_{rm}^{pk} Σ_i x[p + i m] W_r^{ik},
  /// row p of ⌈r/lanes⌉ vectors, k in lanes. `twiddles` has the vectors W^{pk}, p in lanes, for k = 1 … r − 1 of the block at p, block
  /// after block; the last begins at m − lanes. Requires m ≥ lanes. Null for radices that are not built.
  using Across = void (*)(const std::byte* from, T* y, std::int64_t m, const T* twiddles, T im);
  std::array<Across, most_radix + 1> across;
  /// Lane l of n vectors becomes row l of ⌈n/lanes⌉ vectors. Reads n, rounded up to a multiple of lanes.
  void (*turn)(const T* x, std::int64_t n, T* y);

  /// Columns of rows x[n][w] become rows, n a multiple of lanes: number k of column c goes, times first[c][k mod lanes] · steps[k /
  /// lanes][c], to `to` + c·stride, interleaved. first: a vector a column; steps: numbers.
  void (*twist)(const T* x, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, const T* first, const T* steps);

  /// rows[j][l] = number j, with im times its imaginary part, of line l < lanes, at from + l·stride, a row of one vector; and back.
  /// n is a multiple of lanes.
  void (*load_turned)(const std::byte* from, std::int64_t stride, std::int64_t n, T* rows, T im);
  void (*store_turned)(const T* rows, std::int64_t n, std::byte* to, std::int64_t stride, FftFactor<T> factor);

  /// rows[j][l] = factor · the numbers l = 0 … w·lanes − 1 at from + j·stride, interleaved; and back.
  void (*load_rows)(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t w, T* rows, FftFactor<T> factor);
  void (*store_rows)(const T* rows, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, FftFactor<T> factor);
  /// The same of in(rows) · t, as many vectors; in may conjugate.
  void (*store_products)(const T* rows, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, const T* t, T im_in,
                         FftFactor<T> factor);

  /// x = out(in(x) · t): in and out may conjugate. t: one number a row of w vectors, or as many vectors as x has (n, w = 1).
  void (*multiply_rows)(T* x, std::int64_t n, std::int64_t w, const T* t, T im_in, T im_out);
  void (*multiply_vectors)(T* x, std::int64_t n, const T* t, T im_in, T im_out);
  /// y = in(x) · t of n interleaved numbers, t as many vectors as hold them; y may be x.
  void (*multiply_numbers)(const std::byte* x, std::byte* y, std::int64_t n, const T* t, T im_in);

  /// Rows k and h − k of a real transform's two halves, for k = 0 … h/2: with s = x[k] + conj x[h−k], d = x[k] − conj x[h−k],
  ///     x[k] = s + u[k] d,   x[h−k] = conj(s − u[k] d).
  /// Row h takes part as row 0 where first = 0.
  void (*fold_rows)(T* x, std::int64_t h, std::int64_t w, std::int64_t first, const T* u);
  /// The same of one line's interleaved numbers 1 … h − 1, from x to y ≠ x, times factor; the imaginary parts of x count im times. u has a
  /// row for the numbers k … k + lanes − 1 of k = 1, 1 + lanes, …, the last one ends at ⌊h/2⌋. Requires h ≥ 2 lanes.
  void (*fold_numbers)(const std::byte* x, std::byte* y, std::int64_t h, const T* u, T im, FftFactor<T> factor);
};

struct FftKernels {
  const char* target;
  FftKernelsOf<float> float32;
  FftKernelsOf<double> float64;

  /// n numbers of float16, at any address, to float32 and back, rounded half to even, as load_line and store_line have it
  /// (base/number_lines.hpp) but for the payloads of NaNs.
  void (*widen_float16)(const std::byte* from, std::int64_t n, float* to);
  void (*narrow_float16)(const float* from, std::int64_t n, std::byte* to);

  template <class T>
  const FftKernelsOf<T>& of() const {
    if constexpr (sizeof(T) == 4) return float32;
    else return float64;
  }

  /// The table of the best instruction set that this machine has; all of them, best first, the last one plain C++.
  static const FftKernels& best();
  static std::vector<const FftKernels*> all();
};

}  // namespace crinkle::simd
