// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/stages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/radices.hpp"

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

template <class Table>
bool has(const Table& table, std::int64_t radix) {
  return radix < std::ssize(table) && table[at(radix)] != nullptr;
}

// The first radix is another one where that fills twice as many lanes of a line's rows; where 8 fills them, a 16 is 8 and, at the end, 2.
// The last one stores numbers itself where any does.
template <class T>
std::vector<std::int64_t> stage_radices(std::int64_t n, const simd::FftKernelsOf<T>& kernels) {
  std::vector<std::int64_t> radices = radices_of(n);
  const std::int64_t v = kernels.lanes;
  if (v == 8 && n % 16 == 0 && n % 32 != 0 && n >= v * v) {
    radices = radices_of(n / 16);
    radices.insert(radices.begin(), 8);
    radices.push_back(2);
  }
  if (radices.empty()) return radices;
  // How many of 128 lanes rows of r numbers fill; 0 for a radix that cannot be first, and half where the radix is not built.
  const auto filled = [&](std::int64_t r) {
    if (n / r < v || (has(kernels.first_stages, radices[0]) && !has(kernels.first_stages, r))) return std::int64_t{0};
    return 128 * r / (ceil_divide(r, v) * v) / (has(kernels.stages, r) ? 1 : 2);
  };
  const auto best = std::max_element(radices.begin(), radices.end(), [&](std::int64_t a, std::int64_t b) { return filled(a) < filled(b); });
  if (filled(*best) >= 2 * filled(radices[0])) std::iter_swap(radices.begin(), best);
  const auto last = std::find_if(radices.rbegin(), radices.rend() - 1, [&](std::int64_t r) { return has(kernels.last_stages, r); });
  if (last != radices.rend() - 1) std::iter_swap(radices.rbegin(), last);
  return radices;
}

}  // namespace

template <class T>
Stages<T>::Stages(std::int64_t n, const simd::FftKernelsOf<T>& kernels, Lanes lanes) : n_(n), kernels_(&kernels) {
  std::int64_t m = n, s = 1;
  for (const std::int64_t r : stage_radices(n, kernels)) {
    m /= r;
    Stage stage{r, m, s, tables_.size(), 0};
    if (s == 1 && lanes == Lanes::numbers && m >= kernels.lanes) {
      add_across(stage);
    } else {
      for (std::int64_t p = 1; p < m; ++p)
        for (std::int64_t k = 1; k < r; ++k) push(tables_, root<T>(multiply(p, k), r * m));
    }
    stage.roots = tables_.size();
    if (!has(kernels.stages, r)) push_roots(tables_, r);
    stages_.push_back(stage);
    s *= r;
  }
  can_end_ = stages_.size() > 1 && has(kernels.last_stages, stages_.back().radix);
  if (lanes == Lanes::lines || !has_one_line()) return;
  const std::int64_t r = stages_.front().radix;
  n_vectors_ = ceil_divide(r, kernels.lanes);
  can_end_line_ = can_end_ && fills_lanes();
  for (std::size_t i = 1; i < stages_.size(); ++i) stages_[i].s = stages_[i].s / r * n_vectors_;
}

template <class T>
void Stages<T>::add_across(Stage& first) {
  const std::int64_t v = kernels_->lanes, r = first.radix, m = first.m;
  tables_.reserve(at(multiply(2 * (r - 1), m + v)));
  for (std::int64_t block = 0; block < m; block += v) {
    const std::int64_t begin = std::min(block, m - v);
    for (std::int64_t k = 1; k < r; ++k) {
      const std::size_t place = tables_.size();
      tables_.resize(place + at(2 * v));
      for (std::int64_t i = 0; i < v; ++i) {
        const Root<T> w = root<T>(multiply(k, begin + i), n_);
        tables_[place + at(i)] = w.re;
        tables_[place + at(v + i)] = w.im;
      }
    }
  }
}

template <class T>
T* Stages<T>::run(std::size_t begin, std::size_t end, T* a, T* b, std::int64_t w) const {
  for (std::size_t i = begin; i < end; ++i) {
    const Stage& stage = stages_[i];
    const T* twiddles = tables_.data() + stage.twiddles;
    const T* roots = tables_.data() + stage.roots;
    if (has(kernels_->stages, stage.radix)) kernels_->stages[at(stage.radix)](a, b, stage.m, stage.s * w, twiddles);
    else kernels_->any_stage(a, b, stage.radix, stage.m, stage.s * w, twiddles, roots);
    std::swap(a, b);
  }
  return a;
}

template <class T>
bool Stages<T>::can_begin() const {
  return !stages_.empty() && has(kernels_->first_stages, stages_.front().radix);
}

template <class T>
bool Stages<T>::can_end() const {
  return can_end_ && can_begin();
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
std::int64_t Stages<T>::line_elements() const {
  return multiply(add(multiply(stages_.front().m, n_vectors_), 1), 2 * kernels_->lanes);
}

// Does what kernels_->across does of radices that are built: a stage of each block, its products, and its lanes turned.
template <class T>
void Stages<T>::across(const std::byte* from, T im, T* y) const {
  const Stage& first = stages_.front();
  const std::int64_t v = kernels_->lanes, vector = 2 * v, r = first.radix, m = first.m, number = 2 * static_cast<std::int64_t>(sizeof(T));
  const T* twiddles = tables_.data() + first.twiddles;
  if (has(kernels_->across, r)) return kernels_->across[at(r)](from, y, m, twiddles, im);
  constexpr std::size_t most = (simd::FftKernelsOf<T>::most_any + 32 / sizeof(T)) * 2 * 32 / sizeof(T);
  alignas(64) T x[most], result[most], row[most];
  for (std::int64_t block = 0; block < m; block += v, twiddles += (r - 1) * vector) {
    const std::int64_t p = std::min(block, m - v);
    kernels_->load_rows(from + p * number, m * number, r, 1, x, {T{1}, im});
    if (has(kernels_->stages, r)) kernels_->stages[at(r)](x, result, 1, 1, nullptr);
    else kernels_->any_stage(x, result, r, 1, 1, nullptr, tables_.data() + first.roots);
    if (block == 0) std::copy_n(result, r * vector, row);
    kernels_->multiply_vectors(result + vector, r - 1, twiddles, 1, 1);
    kernels_->turn(result, r, y + p * n_vectors_ * vector);
  }
  for (std::int64_t k = 0; k < r; ++k) {  // no products went into row 0
    T* const to = y + k / v * vector + k % v;
    to[0] = row[k * vector];
    to[v] = row[k * vector + v];
  }
}

template <class T>
void Stages<T>::run_line(const OneLine<T>& line, T* a, T* b) const {
  const std::int64_t number = 2 * static_cast<std::int64_t>(sizeof(T));
  across(line.from, line.im, a);
  for (std::int64_t i = 0; line.is_far && i < n_ * number; i += 64) __builtin_prefetch(line.to + i, 1);
  const T* const rows = run(1, stages_.size() - (can_end_line_ ? 1 : 0), a, b, 1);
  if (!can_end_line_) return store_rows(rows, n_, line.to, line.factor);
  const Stage &first = stages_.front(), &last = stages_.back();
  const std::int64_t n_rows = n_vectors_ == 1 ? last.s : last.s / n_vectors_;
  kernels_->last_stages[at(last.radix)](rows, line.to, first.radix * number, n_rows, n_vectors_, line.factor);
}

template <class T>
T* Stages<T>::run_to_rows(T* a, T* b) const {
  across(bytes_of(a), T{1}, b);
  return run(1, stages_.size(), b, a, 1);
}

template <class T>
std::vector<T> Stages<T>::in_rows(const std::vector<Root<double>>& numbers) const {
  const std::int64_t v = kernels_->lanes, r = stages_.front().radix, vector = 2 * v;
  std::vector<T> table(at(ceil_divide(std::ssize(numbers), r) * n_vectors_ * vector));
  for (std::int64_t i = 0; i < std::ssize(numbers); ++i) {
    const std::int64_t lane = i % r, place = (i / r * n_vectors_ + lane / v) * vector + lane % v;
    table[at(place)] = static_cast<T>(numbers[at(i)].re);
    table[at(place + v)] = static_cast<T>(numbers[at(i)].im);
  }
  return table;
}

template <class T>
typename simd::ShortKernelsOf<T>::Rows Stages<T>::short_rows(const simd::ShortKernelsOf<T>& kernels) const {
  constexpr auto most = static_cast<std::int64_t>(simd::ShortKernelsOf<T>::most_radix);
  if (stages_.empty() || stages_.size() > 2) return nullptr;
  const std::int64_t first = stages_[0].radix, second = stages_.size() == 2 ? stages_[1].radix : 1;
  return first > most || second > most ? nullptr : kernels.rows[at(first)][at(second)];
}

template <class T>
std::string Stages<T>::describe() const {
  std::string text;
  for (const Stage& stage : stages_) text += fmt::format("{}{}", text.empty() ? "" : "·", stage.radix);
  return text.empty() ? "1" : text;
}

template class Stages<float>;
template class Stages<double>;

}  // namespace crinkle::fft
