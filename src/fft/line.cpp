// SPDX-License-Identifier: BSD-3-Clause
#include "fft/line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "base/checked.hpp"
#include "fft/radices.hpp"
#include "fft/roots.hpp"

namespace crinkle::fft {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <class T>
void push(std::vector<T>& table, const Root<T>& root) {
  table.push_back(root.re);
  table.push_back(root.im);
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
    if (r > static_cast<std::int64_t>(kernels.most_radix) || kernels.stages[at(r)] == nullptr) {
      for (std::int64_t k = 0; k < r; ++k) {
        const Root<T> w = root<T>(k, r);
        push(tables_, {w.re, -w.im});
      }
    }
    stages_.push_back(stage);
    s *= r;
  }
}

template <class T>
T* Stages<T>::run(T* a, T* b, std::int64_t w) const {
  for (const Stage& stage : stages_) {
    const T* twiddles = tables_.data() + stage.twiddles;
    const T* roots = tables_.data() + stage.roots;
    const bool is_built = stage.radix <= static_cast<std::int64_t>(kernels_->most_radix) && kernels_->stages[at(stage.radix)] != nullptr;
    if (is_built) kernels_->stages[at(stage.radix)](a, b, stage.m, stage.s * w, twiddles);
    else kernels_->any_stage(a, b, stage.radix, stage.m, stage.s * w, twiddles, roots);
    std::swap(a, b);
  }
  return a;
}

template <class T>
std::string Stages<T>::describe() const {
  std::string text;
  for (const Stage& stage : stages_) text += fmt::format("{}{}", text.empty() ? "" : "·", stage.radix);
  return text.empty() ? "1" : text;
}

template <class T>
Line<T>::Line(std::int64_t n, Lanes lanes, const simd::FftKernelsOf<T>& kernels) : n_(n), lanes_(lanes), kernels_(&kernels) {
  const std::int64_t v = lanes == Lanes::numbers ? kernels.lanes : 1;
  if (n % v != 0 || !has_radices(n / v)) {
    make_chirp();
    return;
  }
  const std::int64_t m = n / v;
  stages_ = std::make_unique<Stages<T>>(m, kernels);
  n_rows_ = std::max(m, v);
  if (v == 1) return;
  across_.reserve(at(multiply(2 * (v - 1), m + v)));
  for (std::int64_t block = 0; block < m; block += v) {
    const std::int64_t begin = m < v ? 0 : std::min(block, m - v);
    for (std::int64_t l = 1; l < v; ++l) {
      std::vector<T> im;
      for (std::int64_t k = begin; k < begin + v; ++k) {
        const Root<T> w = root<T>(multiply(l, k), n);
        across_.push_back(w.re);
        im.push_back(w.im);
      }
      across_.insert(across_.end(), im.begin(), im.end());
    }
  }
}

template <class T>
void Line<T>::make_chirp() {
  const std::int64_t v = lanes_ == Lanes::numbers ? kernels_->lanes : 1, n = n_;
  const std::int64_t m = smooth_length(add(multiply(2, n), -1), v * v);
  chirp_ = std::make_unique<Chirp>();
  chirp_->whole = std::make_unique<Line>(m, lanes_, *kernels_);
  n_rows_ = chirp_->whole->n_rows();
  // conj c over M, circular, and its transform, which takes the factor 1/M; in float64 so that it is rounded once.
  std::vector<Root<double>> c;
  for (std::int64_t j = 0; j < n; ++j) c.push_back(root<double>(multiply_modulo(j, j, 2 * n), 2 * n));
  const simd::FftKernelsOf<double>& kernels = simd::fft_kernels().of<double>();
  std::vector<double> a(at(2 * kernels.lanes * m)), b(a.size());
  for (std::int64_t j = 0; j < n; ++j) {
    for (const std::int64_t place : {j, (m - j) % m}) {
      a[at(2 * kernels.lanes * place)] = c[at(j)].re / static_cast<double>(m);
      a[at(2 * kernels.lanes * place + kernels.lanes)] = -c[at(j)].im / static_cast<double>(m);
    }
  }
  const double* b_of = Stages<double>(m, kernels).run(a.data(), b.data(), 1);
  const auto put = [&](std::vector<T>& table, std::int64_t j, double re, double im) {
    const std::int64_t place = j / v * 2 * v + j % v;
    table[at(place)] = static_cast<T>(re);
    table[at(place + v)] = static_cast<T>(im);
  };
  chirp_->chirp.resize(at(2 * ceil_divide(n, v) * v));
  chirp_->kernel.resize(at(2 * m));
  for (std::int64_t j = 0; j < n; ++j) put(chirp_->chirp, j, c[at(j)].re, c[at(j)].im);
  for (std::int64_t j = 0; j < m; ++j) put(chirp_->kernel, j, b_of[2 * kernels.lanes * j], b_of[2 * kernels.lanes * j + kernels.lanes]);
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
  return stages_ ? stages_->run(a, b, w) : convolve(a, b, w);
}

template <class T>
T* Line<T>::run_to_rows(T* a, T* b) const {
  T* x = stages_->run(a, b, 1);
  T* y = x == a ? b : a;
  if (kernels_->lanes == 1) return x;
  kernels_->across_rows(x, y, n_ / kernels_->lanes, across_.data());
  return y;
}

template <class T>
void Line<T>::run_numbers(T* a, T* b, std::byte* out, simd::FftFactor<T> factor) const {
  const std::int64_t v = kernels_->lanes, number = 2 * static_cast<std::int64_t>(sizeof(T));
  if (stages_) return kernels_->across(stages_->run(a, b, 1), out, n_ / v, across_.data(), factor);
  // The last numbers beyond whole vectors lie in a vector of their own.
  T* x = convolve(a, b, 1);
  const std::int64_t whole = n_ / v, rest = n_ % v;
  kernels_->store_rows(x, whole, 1, out, v * number, factor);
  for (std::int64_t l = 0; l < rest; ++l) {
    const T parts[2] = {x[2 * v * whole + l] * factor.re, x[2 * v * whole + v + l] * factor.im};
    std::copy_n(reinterpret_cast<const std::byte*>(parts), number, out + (whole * v + l) * number);
  }
}

template <class T>
std::string Line<T>::describe() const {
  if (!stages_) return "Bluestein by " + chirp_->whole->describe();
  const std::string stages = stages_->describe();
  return lanes_ == Lanes::lines || kernels_->lanes == 1 ? stages : fmt::format("{}·{}", stages, kernels_->lanes);
}

template class Stages<float>;
template class Stages<double>;
template class Line<float>;
template class Line<double>;

}  // namespace crinkle::fft
