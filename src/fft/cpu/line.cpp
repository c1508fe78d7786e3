// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/chirp.hpp"
#include "fft/rader.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft {
namespace {

// The length whose stages take least, of those from n on that fill lanes (multiples of 8). Costs are in hundredths of 3 ns a number.
std::int64_t cheapest_length(std::int64_t n) {
  const auto cost = [](std::int64_t m) {
    std::int64_t sum = 0;
    for (const std::int64_t r : radices_of(m)) sum += r == 15 ? 33 : r == 9 ? 29 : r % 2 == 1 ? 26 : 22;
    return multiply(sum, m);
  };
  std::int64_t best = smooth_length(n, 8);
  for (std::int64_t m = best; m < n + n / 4; m = smooth_length(m + 1, 8))
    if (cost(m) < cost(best)) best = m;
  return best;
}

}  // namespace

template <class T>
Line<T>::Line(std::int64_t n, Lanes lanes, const simd::FftKernelsOf<T>& kernels) : n_(n), n_rows_(n), lanes_(lanes), kernels_(&kernels) {
  if (has_rader(n)) make_powers();
  else if (!has_radices(n)) make_chirp();
  else stages_ = std::make_unique<Stages<T>>(n, kernels, lanes);
}

// Computed in float64, so that it is rounded once.
template <class T>
std::vector<T> Line<T>::table_of(const std::vector<Root<double>>& numbers) const {
  if (lanes_ == Lanes::numbers) return chirp_->whole->in_rows(numbers);
  std::vector<T> table;
  for (const Root<double>& number : numbers) table.insert(table.end(), {static_cast<T>(number.re), static_cast<T>(number.im)});
  return table;
}

template <class T>
void Line<T>::make_chirp() {
  chirp_ = std::make_unique<Convolution>();
  n_rows_ = chirp_->m = cheapest_length(add(multiply(2, n_), -1));
  chirp_->whole = std::make_unique<Stages<T>>(chirp_->m, *kernels_, lanes_);
  const Chirp chirp = chirp_of(n_, chirp_->m);
  chirp_->chirp = table_of(chirp.numbers);
  chirp_->kernel = table_of(chirp.kernel);
  if (lanes_ == Lanes::lines) return;
  const std::int64_t v = kernels_->lanes;
  chirp_->chirp_vectors.resize(at(ceil_divide(n_, v) * 2 * v));
  for (std::int64_t j = 0; j < n_; ++j) {
    chirp_->chirp_vectors[at(j / v * 2 * v + j % v)] = static_cast<T>(chirp.numbers[at(j)].re);
    chirp_->chirp_vectors[at(j / v * 2 * v + j % v + v)] = static_cast<T>(chirp.numbers[at(j)].im);
  }
}

template <class T>
void Line<T>::make_powers() {
  const Rader rader = rader_of(n_);
  chirp_ = std::make_unique<Convolution>();
  chirp_->m = n_ - 1;
  chirp_->whole = std::make_unique<Stages<T>>(n_ - 1, *kernels_, lanes_);
  chirp_->powers = rader.powers;
  chirp_->kernel = table_of(rader.kernel);
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

// Convolves as convolve_powers and convolve have it, with interleaved numbers.
template <class T>
void Line<T>::convolve_powers(const OneLine<T>& line, T* a, T* b) const {
  const std::int64_t m = n_ - 1;
  const T* const in = reinterpret_cast<const T*>(line.from);
  T* const to = reinterpret_cast<T*>(line.to);
  const T im = line.im;
  const simd::FftFactor<T> factor = line.factor;
  for (std::int64_t q = 0; q < m; ++q) {
    const T* const number = in + 2 * chirp_->powers[at(q)];
    a[2 * q] = number[0];
    a[2 * q + 1] = number[1] * im;
  }
  const T first[2] = {in[0], in[1] * im};
  const Stages<T>& whole = *chirp_->whole;
  T* x = whole.run_to_rows(a, b);
  T* y = x == a ? b : a;
  to[0] = (first[0] + x[0]) * factor.re;
  to[1] = (first[1] + x[kernels_->lanes]) * factor.im;
  whole.store_products(x, m, bytes_of(y), chirp_->kernel, 1, {T{1}, T{1}});
  y[0] += first[0];
  y[1] += first[1];
  y = whole.run_to_rows(y, x);
  x = y == a ? b : a;
  whole.store_rows(y, m, bytes_of(x), {T{1}, T{1}});
  for (std::int64_t q = 0; q < m; ++q) {
    T* const number = to + 2 * chirp_->powers[at(q)];
    number[0] = x[2 * q] * factor.re;
    number[1] = x[2 * q + 1] * factor.im;
  }
}

template <class T>
void Line<T>::convolve(const OneLine<T>& line, T* a, T* b) const {
  const std::int64_t m = chirp_->m;
  const Stages<T>& whole = *chirp_->whole;
  kernels_->multiply_numbers(line.from, bytes_of(a), n_, chirp_->chirp_vectors.data(), line.im);
  std::fill(a + 2 * n_, a + 2 * m, T{0});
  T* x = whole.run_to_rows(a, b);
  T* const y = x == a ? b : a;
  whole.store_products(x, m, bytes_of(y), chirp_->kernel, 1, {T{1}, T{-1}});
  x = whole.run_to_rows(y, x);
  whole.store_products(x, n_, line.to, chirp_->chirp, -1, line.factor);
}

template <class T>
void Line<T>::run_line(const OneLine<T>& line, T* a, T* b) const {
  if (stages_) stages_->run_line(line, a, b);
  else if (chirp_->powers.empty()) convolve(line, a, b);
  else convolve_powers(line, a, b);
}

template <class T>
std::string Line<T>::describe() const {
  if (stages_) return stages_->describe();
  return (chirp_->powers.empty() ? "Bluestein by " : "Rader by ") + chirp_->whole->describe();
}

template class Line<float>;
template class Line<double>;

}  // namespace crinkle::fft
