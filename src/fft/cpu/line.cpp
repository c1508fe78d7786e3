// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/chirp.hpp"
#include "fft/cpu/rader.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft {
namespace {

template <class T>
std::vector<T> rounded(const std::vector<Root<double>>& numbers) {
  std::vector<T> table;
  for (const Root<double>& number : numbers) table.insert(table.end(), {static_cast<T>(number.re), static_cast<T>(number.im)});
  return table;
}

}  // namespace

template <class T>
Line<T>::Line(std::int64_t n, Lanes lanes, const simd::FftKernelsOf<T>& kernels) : n_(n), n_rows_(n), kernels_(&kernels) {
  if (has_rader(n)) make_powers(lanes);
  else if (!has_radices(n)) make_chirp(lanes);
  else stages_ = std::make_unique<Stages<T>>(n, kernels, lanes);
}

template <class T>
void Line<T>::make_chirp(Lanes lanes) {
  chirp_ = std::make_unique<Convolution>();
  n_rows_ = chirp_->m = smooth_length(add(multiply(2, n_), -1), 1);
  chirp_->whole = std::make_unique<Stages<T>>(chirp_->m, *kernels_, lanes);
  const Chirp chirp = chirp_of(n_, chirp_->m);  // in float64 so that it is rounded once
  chirp_->chirp = rounded<T>(chirp.numbers);
  chirp_->kernel = rounded<T>(chirp.kernel);
}

template <class T>
void Line<T>::make_powers(Lanes lanes) {
  const Rader rader = rader_of(n_);
  chirp_ = std::make_unique<Convolution>();
  chirp_->m = n_ - 1;
  chirp_->whole = std::make_unique<Stages<T>>(n_ - 1, *kernels_, lanes);
  chirp_->powers = rader.powers;
  chirp_->kernel = rounded<T>(rader.kernel);
}

// The convolution is F⁻¹(F(x) K), and F instead of F⁻¹ gives it at −q: at the power g^q. Its sum is X[0] − x[0], and x[0] added to number
// 0 of what goes through the second F is added to all of them. Row n − 1 of the buffers, behind those of F, keeps what lies at 0.
template <class T>
T* Line<T>::convolve_powers(T* a, T* b, std::int64_t w) const {
  const std::int64_t row = 2 * kernels_->lanes * w, m = n_ - 1;
  for (std::int64_t q = 0; q < m; ++q) std::copy_n(a + chirp_->powers[at(q)] * row, row, b + q * row);
  std::copy_n(a, row, b + m * row);
  T* x = chirp_->whole->run(b, a, w);
  T* y = x == a ? b : a;
  for (std::int64_t i = 0; i < row; ++i) {
    const T first = b[m * row + i];
    a[m * row + i] = b[m * row + i] = first + x[i];
    y[i] = first;
  }
  kernels_->multiply_rows(x, m, w, chirp_->kernel.data(), 1, 1);
  for (std::int64_t i = 0; i < row; ++i) x[i] += y[i];
  x = chirp_->whole->run(x, y, w);
  y = x == a ? b : a;
  std::copy_n(x + m * row, row, y);
  for (std::int64_t q = 0; q < m; ++q) std::copy_n(x + q * row, row, y + chirp_->powers[at(q)] * row);
  return y;
}

// conj(F(conj(F(x c) B))) is the convolution, at 0 … n − 1.
template <class T>
T* Line<T>::convolve(T* a, T* b, std::int64_t w) const {
  const std::int64_t m = chirp_->m, row = 2 * kernels_->lanes * w;
  kernels_->multiply_rows(a, n_, w, chirp_->chirp.data(), 1, 1);
  std::fill(a + n_ * row, a + m * row, T{0});
  T* x = chirp_->whole->run(a, b, w);
  kernels_->multiply_rows(x, m, w, chirp_->kernel.data(), 1, -1);
  x = chirp_->whole->run(x, x == a ? b : a, w);
  kernels_->multiply_rows(x, n_, w, chirp_->chirp.data(), -1, 1);
  return x;
}

template <class T>
T* Line<T>::run_rows(T* a, T* b, std::int64_t w) const {
  if (stages_) return stages_->run(a, b, w);
  return chirp_->powers.empty() ? convolve(a, b, w) : convolve_powers(a, b, w);
}

// As convolve_powers and convolve have it, of interleaved numbers.
template <class T>
void Line<T>::convolve_line_powers(const std::byte* from, T im, T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const {
  const std::int64_t m = n_ - 1;
  const T* in = reinterpret_cast<const T*>(from);
  T* const to = reinterpret_cast<T*>(out);
  for (std::int64_t q = 0; q < m; ++q) {
    const T* const number = in + 2 * chirp_->powers[at(q)];
    a[2 * q] = number[0];
    a[2 * q + 1] = number[1] * im;
  }
  const T first[2] = {in[0], in[1] * im};
  T* x = chirp_->whole->run_line(a, b);
  const T sum[2] = {first[0] + x[0], first[1] + x[1]};
  kernels_->multiply_numbers(bytes_of(x), bytes_of(x), m, chirp_->kernel.data(), 1, {T{1}, T{1}});
  x[0] += first[0];
  x[1] += first[1];
  x = chirp_->whole->run_line(x, x == a ? b : a);
  to[0] = sum[0] * factor.re;
  to[1] = sum[1] * factor.im;
  for (std::int64_t q = 0; q < m; ++q) {
    T* const number = to + 2 * chirp_->powers[at(q)];
    number[0] = x[2 * q] * factor.re;
    number[1] = x[2 * q + 1] * factor.im;
  }
}

template <class T>
void Line<T>::convolve_line(const std::byte* from, T im, T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const {
  const std::int64_t m = chirp_->m;
  kernels_->multiply_numbers(from, bytes_of(a), n_, chirp_->chirp.data(), im, {T{1}, T{1}});
  std::fill(a + 2 * n_, a + 2 * m, T{0});
  T* x = chirp_->whole->run_line(a, b);
  kernels_->multiply_numbers(bytes_of(x), bytes_of(x), m, chirp_->kernel.data(), 1, {T{1}, T{-1}});
  x = chirp_->whole->run_line(x, x == a ? b : a);
  kernels_->multiply_numbers(bytes_of(x), out, n_, chirp_->chirp.data(), -1, factor);
}

template <class T>
void Line<T>::run_line(const std::byte* from, T im, T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const {
  if (stages_) stages_->run_line(from, im, a, b, out, factor);
  else if (chirp_->powers.empty()) convolve_line(from, im, a, b, out, factor);
  else convolve_line_powers(from, im, a, b, out, factor);
}

template <class T>
std::string Line<T>::describe() const {
  if (stages_) return stages_->describe();
  return (chirp_->powers.empty() ? "Bluestein by " : "Rader by ") + chirp_->whole->describe();
}

template class Line<float>;
template class Line<double>;

}  // namespace crinkle::fft
