// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/chirp.hpp"
#include "fft/cpu/rader.hpp"
#include "fft/radices.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

template <class T>
void push(std::vector<T>& table, const Root<T>& root) {
  table.push_back(root.re);
  table.push_back(root.im);
}

// cos and sin of 2πk/n.
template <class T>
void push_roots(std::vector<T>& table, std::int64_t n) {
  for (std::int64_t k = 0; k < n; ++k) {
    const Root<T> w = root<T>(k, n);
    push(table, {w.re, -w.im});
  }
}

template <class T>
bool is_built(const simd::FftKernelsOf<T>& kernels, std::int64_t radix) {
  return radix <= static_cast<std::int64_t>(kernels.most_radix) && kernels.stages[at(radix)] != nullptr;
}

}  // namespace

template <class T>
Stages<T>::Stages(std::int64_t n, const simd::FftKernelsOf<T>& kernels) : kernels_(&kernels) {
  std::int64_t m = n, s = 1;
  for (const std::int64_t r : radices_of(n)) {
    m /= r;
    Stage stage{r, m, s, tables_.size(), 0};
    for (std::int64_t p = 1; p < m; ++p)
      for (std::int64_t k = 1; k < r; ++k) push(tables_, root<T>(multiply(p, k), r * m));
    stage.roots = tables_.size();
    if (!is_built(kernels, r)) push_roots(tables_, r);
    stages_.push_back(stage);
    s *= r;
  }
}

template <class T>
T* Stages<T>::run(std::size_t begin, std::size_t end, T* a, T* b, std::int64_t w) const {
  for (std::size_t i = begin; i < end; ++i) {
    const Stage& stage = stages_[i];
    const T* twiddles = tables_.data() + stage.twiddles;
    const T* roots = tables_.data() + stage.roots;
    if (is_built(*kernels_, stage.radix)) kernels_->stages[at(stage.radix)](a, b, stage.m, stage.s * w, twiddles);
    else kernels_->any_stage(a, b, stage.radix, stage.m, stage.s * w, twiddles, roots);
    std::swap(a, b);
  }
  return a;
}

template <class T>
bool Stages<T>::can_begin() const {
  return !stages_.empty() && is_built(*kernels_, stages_.front().radix) && kernels_->first_stages[at(stages_.front().radix)] != nullptr;
}

template <class T>
bool Stages<T>::can_end() const {
  return stages_.size() > 1 && can_begin() && is_built(*kernels_, stages_.back().radix) &&
         kernels_->last_stages[at(stages_.back().radix)] != nullptr;
}

template <class T>
T* Stages<T>::run_from(const From<T>& from, T* a, T* b, std::int64_t w) const {
  const Stage& first = stages_.front();
  kernels_->first_stages[at(first.radix)](from.at, from.stride, a, first.m, w, tables_.data() + first.twiddles, from.im);
  return run(1, stages_.size(), a, b, w);
}

template <class T>
void Stages<T>::run_through(const From<T>& from, T* a, T* b, std::int64_t w, const To<T>& to) const {
  const Stage &first = stages_.front(), &last = stages_.back();
  kernels_->first_stages[at(first.radix)](from.at, from.stride, a, first.m, w, tables_.data() + first.twiddles, from.im);
  const T* x = run(1, stages_.size() - 1, a, b, w);
  kernels_->last_stages[at(last.radix)](x, to.at, to.stride, last.s, w, to.factor);
}

template <class T>
std::string Stages<T>::describe() const {
  std::string text;
  for (const Stage& stage : stages_) text += fmt::format("{}{}", text.empty() ? "" : "·", stage.radix);
  return text.empty() ? "1" : text;
}

template <class T>
Line<T>::Line(std::int64_t n, Lanes lanes, const simd::FftKernelsOf<T>& kernels) : n_(n), lanes_(lanes), kernels_(&kernels) {
  if (lanes == Lanes::numbers) choose_numbers();
  if (lanes == Lanes::lines && has_rader(n)) {
    make_powers();
    return;
  }
  if (!has_radices(n) || (n_numbers_ == 1 && lanes == Lanes::numbers && kernels.lanes > 1 && n > kernels.most_any)) {
    make_chirp();
    return;
  }
  const std::int64_t m = n / n_numbers_;
  stages_ = std::make_unique<Stages<T>>(m, kernels);
  n_rows_ = lanes == Lanes::numbers ? std::max(m, kernels.lanes) : m;
  if (n_numbers_ > 1) make_across();
}

// As many lanes of vectors as can be, by a butterfly that is built.
template <class T>
void Line<T>::choose_numbers() {
  const std::int64_t v = kernels_->lanes;
  std::int64_t best = 0;  // lanes in use in 128
  for (std::int64_t l = 1; l <= kernels_->most_any; ++l) {
    if (n_ % l != 0 || (!is_built(*kernels_, l) && l % 2 == 0)) continue;
    const std::int64_t vectors = ceil_divide(l, v), used = 128 * l / (vectors * v);
    const std::int64_t score = l == v ? 256 : is_built(*kernels_, l) ? used : used / 2;
    if (score <= best) continue;
    best = score;
    n_numbers_ = l;
    n_vectors_ = vectors;
  }
}

template <class T>
void Line<T>::make_across() {
  const std::int64_t v = kernels_->lanes, m = n_ / n_numbers_;
  if (!is_built(*kernels_, n_numbers_)) push_roots(across_roots_, n_numbers_);
  across_.reserve(at(multiply(2 * (n_numbers_ - 1), m + v)));
  for (std::int64_t block = 0; block < m; block += v) {
    const std::int64_t begin = m < v ? 0 : std::min(block, m - v);
    for (std::int64_t l = 1; l < n_numbers_; ++l) {
      const std::size_t place = across_.size();
      across_.resize(place + at(2 * v));
      for (std::int64_t i = 0; i < v; ++i) {
        const Root<T> w = root<T>(multiply(l, begin + i), n_);
        across_[place + at(i)] = w.re;
        across_[place + at(v + i)] = w.im;
      }
    }
  }
}

template <class T>
void Line<T>::make_chirp() {
  n_numbers_ = kernels_->lanes;
  n_vectors_ = 1;
  const std::int64_t v = lanes_ == Lanes::numbers ? kernels_->lanes : 1, n = n_;
  const std::int64_t m = smooth_length(add(multiply(2, n), -1), v * v);
  chirp_ = std::make_unique<Convolution>();
  chirp_->whole = std::make_unique<Line>(m, lanes_, *kernels_);
  n_rows_ = chirp_->whole->n_rows();
  const Chirp numbers = chirp_of(n, m);  // in float64 so that it is rounded once
  const auto put = [&](std::vector<T>& table, std::int64_t j, const Root<double>& value) {
    const std::int64_t place = j / v * 2 * v + j % v;
    table[at(place)] = static_cast<T>(value.re);
    table[at(place + v)] = static_cast<T>(value.im);
  };
  chirp_->chirp.resize(at(2 * ceil_divide(n, v) * v));
  chirp_->kernel.resize(at(2 * m));
  for (std::int64_t j = 0; j < n; ++j) put(chirp_->chirp, j, numbers.numbers[at(j)]);
  for (std::int64_t j = 0; j < m; ++j) put(chirp_->kernel, j, numbers.kernel[at(j)]);
}

template <class T>
void Line<T>::make_powers() {
  const Rader rader = rader_of(n_);
  chirp_ = std::make_unique<Convolution>();
  chirp_->whole = std::make_unique<Line>(n_ - 1, lanes_, *kernels_);
  chirp_->powers = rader.powers;
  for (const Root<double>& k : rader.kernel) push(chirp_->kernel, Root<T>{static_cast<T>(k.re), static_cast<T>(k.im)});
  n_rows_ = n_;
}

// The convolution is F⁻¹(F(x) K), and F instead of F⁻¹ gives it at −q: at the power g^q. Its sum is X[0] − x[0], and x[0] added to number
// 0 of what goes through the second F is added to all of them. Row n − 1 of the buffers, behind those of F, keeps what lies at 0.
template <class T>
T* Line<T>::convolve_powers(T* a, T* b, std::int64_t w) const {
  const std::int64_t row = 2 * kernels_->lanes * w, m = n_ - 1;
  for (std::int64_t q = 0; q < m; ++q) std::copy_n(a + chirp_->powers[at(q)] * row, row, b + q * row);
  std::copy_n(a, row, b + m * row);
  T* x = chirp_->whole->run_rows(b, a, w);
  T* y = x == a ? b : a;
  for (std::int64_t i = 0; i < row; ++i) {
    const T first = b[m * row + i];
    a[m * row + i] = b[m * row + i] = first + x[i];
    y[i] = first;
  }
  kernels_->multiply_rows(x, m, w, chirp_->kernel.data(), 1, 1);
  for (std::int64_t i = 0; i < row; ++i) x[i] += y[i];
  x = chirp_->whole->run_rows(x, y, w);
  y = x == a ? b : a;
  std::copy_n(x + m * row, row, y);
  for (std::int64_t q = 0; q < m; ++q) std::copy_n(x + q * row, row, y + chirp_->powers[at(q)] * row);
  return y;
}

// conj(F(conj(F(x c) B))) is the convolution, at 0 … n − 1.
template <class T>
T* Line<T>::convolve(T* a, T* b, std::int64_t w) const {
  const std::int64_t v = lanes_ == Lanes::numbers ? kernels_->lanes : 1, vector = 2 * kernels_->lanes;
  const std::int64_t rows = ceil_divide(n_, v), m = chirp_->whole->n() / v;
  const auto times = [&](T* x, std::int64_t n, const std::vector<T>& t, T im_in, T im_out) {
    if (v == 1) kernels_->multiply_rows(x, n, w, t.data(), im_in, im_out);
    else kernels_->multiply_vectors(x, n, t.data(), im_in, im_out);
  };
  const auto transform = [&](T* x) {
    T* other = x == a ? b : a;
    return v == 1 ? chirp_->whole->run_rows(x, other, w) : chirp_->whole->run_to_rows(x, other);
  };
  times(a, rows, chirp_->chirp, 1, 1);
  std::fill(a + rows * w * vector, a + m * w * vector, T{0});
  T* x = transform(a);
  times(x, m, chirp_->kernel, 1, -1);
  x = transform(x);
  times(x, rows, chirp_->chirp, -1, 1);
  return x;
}

template <class T>
T* Line<T>::run_rows(T* a, T* b, std::int64_t w) const {
  if (stages_) return stages_->run(a, b, w);
  return chirp_->powers.empty() ? convolve(a, b, w) : convolve_powers(a, b, w);
}

template <class T>
T* Line<T>::run_to_rows(T* a, T* b) const {
  T* x = stages_->run(a, b, 1);
  T* y = x == a ? b : a;
  if (kernels_->lanes == 1) return x;
  kernels_->across_rows(x, y, n_ / kernels_->lanes, across_.data());
  return y;
}

// The step between lanes, of any number of them: what kernels_->across does for whole vectors.
template <class T>
void Line<T>::across(const T* x, std::byte* out, simd::FftFactor<T> factor) const {
  const std::int64_t v = kernels_->lanes, m = n_ / n_numbers_, vector = 2 * v, number = 2 * static_cast<std::int64_t>(sizeof(T));
  if (n_numbers_ == v) return kernels_->across(x, out, m, across_.data(), factor);
  constexpr std::size_t most = 61 * 2 * 32 / sizeof(T);
  alignas(64) T turned[most], result[most];
  const T* twiddles = across_.data();
  for (std::int64_t block = 0; block < m; block += v, twiddles += (n_numbers_ - 1) * vector) {
    const std::int64_t k = m < v ? 0 : std::min(block, m - v), n_lanes = std::min(v, m);
    for (std::int64_t i = 0; i < v; ++i) {
      const T* row = x + (k + std::min(i, n_lanes - 1)) * n_vectors_ * vector;
      for (std::int64_t l = 0; l < n_numbers_; ++l) {
        const T* from = row + l / v * vector + l % v;
        turned[l * vector + i] = from[0];
        turned[l * vector + v + i] = from[v];
      }
    }
    if (n_numbers_ > 1) kernels_->multiply_vectors(turned + vector, n_numbers_ - 1, twiddles, 1, 1);
    const T* y = n_numbers_ == 1 ? turned : result;
    if (n_numbers_ > 1 && is_built(*kernels_, n_numbers_)) kernels_->stages[at(n_numbers_)](turned, result, 1, 1, twiddles);
    else if (n_numbers_ > 1) kernels_->any_stage(turned, result, n_numbers_, 1, 1, twiddles, across_roots_.data());
    if (m >= v) kernels_->store_rows(y, n_numbers_, 1, out + k * number, m * number, factor);
    for (std::int64_t c = 0; c < n_numbers_ && m < v; ++c) {
      for (std::int64_t i = 0; i < m; ++i) {
        const T parts[2] = {y[c * vector + i] * factor.re, y[c * vector + v + i] * factor.im};
        std::copy_n(reinterpret_cast<const std::byte*>(parts), number, out + (c * m + i) * number);
      }
    }
  }
}

template <class T>
void Line<T>::run_numbers(const std::byte* from, T im, T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const {
  const std::int64_t row = n_numbers_ * 2 * static_cast<std::int64_t>(sizeof(T));
  across(stages_->run_from({from, row, im}, a, b, 1), out, factor);
}

template <class T>
void Line<T>::run_numbers(T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const {
  const std::int64_t v = kernels_->lanes, number = 2 * static_cast<std::int64_t>(sizeof(T));
  if (stages_) return across(stages_->run(a, b, n_vectors_), out, factor);
  // The last numbers beyond whole vectors lie in a vector of their own.
  const T* x = convolve(a, b, 1);
  const std::int64_t whole = n_ / v, rest = n_ % v;
  kernels_->store_rows(x, whole, 1, out, v * number, factor);
  for (std::int64_t l = 0; l < rest; ++l) {
    const T parts[2] = {x[2 * v * whole + l] * factor.re, x[2 * v * whole + v + l] * factor.im};
    std::copy_n(reinterpret_cast<const std::byte*>(parts), number, out + (whole * v + l) * number);
  }
}

template <class T>
std::string Line<T>::describe() const {
  if (!stages_) return (chirp_->powers.empty() ? "Bluestein by " : "Rader by ") + chirp_->whole->describe();
  const std::string stages = stages_->describe();
  return n_numbers_ == 1 ? stages : stages == "1" ? fmt::format("{}", n_numbers_) : fmt::format("{}·{}", stages, n_numbers_);
}

template class Stages<float>;
template class Stages<double>;
template class Line<float>;
template class Line<double>;

}  // namespace crinkle::fft
