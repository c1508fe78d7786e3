// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cpu/odd_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/radices.hpp"

namespace crinkle::fft {
namespace {

constexpr std::int64_t odd_group_bytes = 128 << 10;  // of columns or numbers, in one of two buffers
constexpr std::int64_t most_odd_vectors = 4;
constexpr std::int64_t shortest_odd = 169;
constexpr std::int64_t least_odd_factor = 13;  // lanes that are no numbers k₁ read rows k₁ ≤ m

template <class T>
std::int64_t vectors_of(std::int64_t n, std::int64_t lanes, std::int64_t n_vectors) {
  const std::int64_t bytes = n * 2 * lanes * static_cast<std::int64_t>(sizeof(T));
  return std::clamp(std::min(odd_group_bytes / bytes, n_vectors), std::int64_t{1}, most_odd_vectors);
}

}  // namespace

// The smallest r ≥ √n.
std::int64_t odd_factor(std::int64_t n) {
  if (n % 2 == 0 || n < shortest_odd || !has_radices(n)) return 0;
  std::int64_t m = 0;
  for (std::int64_t d = least_odd_factor; d <= n / d; d += 2)
    if (n % d == 0) m = d;
  return m == 0 ? 0 : n / m;
}

template <class T>
OddLine<T>::OddLine(std::int64_t n, const simd::FftKernelsOf<T>& kernels, const simd::OddKernelsOf<T>& odd)
    : r_(odd_factor(n)), m_(n / r_), kernels_(&kernels), odd_(&odd), columns_(m_, kernels), numbers_(r_, kernels) {
  const std::int64_t v = kernels.lanes, n_numbers = (m_ + 1) / 2;
  n_full_ = (r_ / 2) / v;
  n_blocks_ = n_numbers / v;
  n_rest_ = n_numbers % v;
  z_row_ = (n_full_ + 1) * 2 * v;
  w_columns_ = vectors_of<T>(m_, v, n_full_);
  w_numbers_ = vectors_of<T>(r_, v, n_blocks_);
  const Roots roots(n);
  twiddles_.resize(at(multiply(multiply(ceil_divide(n_numbers, v), r_ - 1), 2 * v)));
  for (std::int64_t k = 0; k < ceil_divide(n_numbers, v) * v; ++k) {
    T* const to = twiddles_.data() + k / v * (r_ - 1) * 2 * v + k % v;
    std::int64_t e = 0;
    for (std::int64_t i = 0; i < r_ - 1; ++i) {
      e = (e + k) % n;
      const Root<double> w = roots.of(e);
      to[2 * v * i] = static_cast<T>(w.re);
      to[2 * v * i + v] = static_cast<T>(w.im);
    }
  }
}

template <class T>
std::int64_t OddLine<T>::scratch_elements() const {
  const std::int64_t v = kernels_->lanes;
  const std::int64_t of_columns = 2 * (m_ + 1) * w_columns_ * 2 * v + m_ * 2 * v;
  const std::int64_t of_numbers = 2 * (r_ + 1) * w_numbers_ * 2 * v + 2 * z_row_ * v + std::max(r_ * 2 * v, z_row_ * v);
  return std::max(of_columns, of_numbers);
}

template <class T>
typename OddLine<T>::Group OddLine<T>::column_group(std::int64_t group) const {
  const std::int64_t first = std::min(group * w_columns_, n_full_), w = std::min(w_columns_, n_full_ - first);
  return w == 0 ? Group{n_full_, 1, true} : Group{first, w, false};
}
template <class T>
typename OddLine<T>::Group OddLine<T>::number_group(std::int64_t group) const {
  const std::int64_t first = std::min(group * w_numbers_, n_blocks_), w = std::min(w_numbers_, n_blocks_ - first);
  return w == 0 ? Group{n_blocks_, 1, true} : Group{first, w, false};
}

template <class T>
T* OddLine<T>::transform(const Stages<T>& stages, const From<T>& from, const simd::FftKernelsOf<T>& kernels, T* a, T* b, std::int64_t w) {
  if (stages.can_begin()) return stages.run_from(from, a, b, w);
  kernels.load_rows(from.at, from.stride, stages.n(), w, a, {T{1}, from.im});
  return stages.run(a, b, w);
}

template <class T>
void OddLine<T>::columns(std::int64_t group, const std::byte* x, T* z, T* scratch) const {
  const Group of = column_group(group);
  const std::int64_t v = kernels_->lanes, size = sizeof(T), buffer = (m_ + 1) * of.w * 2 * v;
  T *const a = scratch, *const b = a + buffer, *const copies = b + buffer, *const to = z + of.first * 2 * v;
  From<T> from{x + of.first * 2 * v * size, r_ * size, T{1}};
  if (of.is_rest) {
    const std::int64_t n = r_ - of.first * 2 * v;
    std::fill(copies, copies + m_ * 2 * v, T{0});
    for (std::int64_t j = 0; j < m_; ++j) std::memcpy(copies + j * 2 * v, from.at + j * r_ * size, at(n * size));
    from = {bytes_of(static_cast<const T*>(copies)), 2 * v * size, T{1}};
  }
  const T* const rows = transform(columns_, from, *kernels_, a, b, of.w);
  kernels_->store_rows(rows, m_, of.w, bytes_of(to), z_row_ * size, {T{1}, T{1}});
  kernels_->store_rows(rows, 1, of.w, bytes_of(to + m_ * z_row_), z_row_ * size, {T{1}, T{1}});
}

template <class T>
void OddLine<T>::columns_back(std::int64_t group, const T* z, T factor, std::byte* x, T* scratch) const {
  const Group of = column_group(group);
  const std::int64_t v = kernels_->lanes, size = sizeof(T), buffer = (m_ + 1) * of.w * 2 * v;
  T *const a = scratch, *const b = a + buffer, *const copies = b + buffer;
  std::byte* const to = x + of.first * 2 * v * size;
  const T* const rows = transform(columns_, {bytes_of(z + of.first * 2 * v), z_row_ * size, T{1}}, *kernels_, a, b, of.w);
  if (!of.is_rest) return kernels_->store_rows(rows, m_, of.w, to, r_ * size, {factor, factor});
  kernels_->store_rows(rows, m_, 1, bytes_of(copies), 2 * v * size, {factor, factor});
  for (std::int64_t j = 0; j < m_; ++j) std::memcpy(to + j * r_ * size, copies + j * 2 * v, at((r_ - of.first * 2 * v) * size));
}

// Mirror images first: that of k₁ = 0 lies where the number itself comes.
template <class T>
void OddLine<T>::put_numbers(const Group& of, const T* rows, std::byte* to, simd::FftFactor<T> factor, T* copies) const {
  const std::int64_t v = kernels_->lanes, number = 2 * static_cast<std::int64_t>(sizeof(T)), half = r_ / 2, first = of.first * v;
  const T* const mirrored = rows + (half + 1) * of.w * 2 * v;
  std::byte *const from_first = to + first * number, *const from_last = to + (m_ * half - first) * number;
  const simd::FftFactor<T> back{factor.re, -factor.im};
  if (!of.is_rest) {
    odd_->store_mirrored(mirrored, half, of.w, from_last, -m_ * number, back);
    return kernels_->store_rows(rows, half + 1, of.w, from_first, m_ * number, factor);
  }
  std::byte* const copy = bytes_of(copies);
  odd_->store_mirrored(mirrored, half, 1, copy + (v - 1) * number, v * number, back);
  for (std::int64_t q = 0; q < half; ++q)
    std::memcpy(from_last - (q * m_ + n_rest_ - 1) * number, copy + (q * v + v - n_rest_) * number, at(n_rest_ * number));
  kernels_->store_rows(rows, half + 1, 1, copy, v * number, factor);
  for (std::int64_t q = 0; q <= half; ++q) std::memcpy(from_first + q * m_ * number, copy + q * v * number, at(n_rest_ * number));
}

template <class T>
void OddLine<T>::get_numbers(const Group& of, const std::byte* from, T im, T* rows, T* copies) const {
  const std::int64_t v = kernels_->lanes, number = 2 * static_cast<std::int64_t>(sizeof(T)), half = r_ / 2, first = of.first * v;
  T* const mirrored = rows + (half + 1) * of.w * 2 * v;
  const std::byte *from_first = from + first * number, *from_last = from + (m_ * half - first) * number;
  std::int64_t stride = m_ * number, back = -m_ * number;
  if (of.is_rest) {
    std::byte* const copy = bytes_of(copies);
    std::fill(copies, copies + r_ * 2 * v, T{0});
    for (std::int64_t q = 0; q <= half; ++q) std::memcpy(copy + q * v * number, from_first + q * stride, at(n_rest_ * number));
    for (std::int64_t q = 0; q < half; ++q)
      std::memcpy(copy + ((half + 1 + q) * v + v - n_rest_) * number, from_last + q * back - (n_rest_ - 1) * number, at(n_rest_ * number));
    from_first = copy;
    from_last = copy + ((half + 1) * v + v - 1) * number;
    stride = back = v * number;
  }
  kernels_->load_rows(from_first, stride, half + 1, of.w, rows, {T{1}, im});
  odd_->load_mirrored(from_last, back, half, of.w, mirrored, {T{1}, -im});
  if (of.first == 0) rows[v] = 0;  // a sum of real numbers
}

template <class T>
void OddLine<T>::numbers(std::int64_t group, const T* z, std::byte* to, simd::FftFactor<T> factor, T* scratch) const {
  const Group of = number_group(group);
  const std::int64_t v = kernels_->lanes, size = sizeof(T), buffer = (r_ + 1) * of.w * 2 * v, row = z_row_ * size;
  T *const rows = scratch, *const other = rows + buffer, *const a = other + buffer, *const b = a + z_row_ * v,
           *const copies = b + z_row_ * v;
  for (std::int64_t q = 0; q < of.w; ++q) {
    const std::int64_t k = (of.first + q) * v;
    kernels_->load_turned(bytes_of(z + k * z_row_), row, z_row_ / 2, a, T{1});
    kernels_->load_turned(bytes_of(z + (m_ - k) * z_row_), -row, z_row_ / 2, b, T{1});
    odd_->part(a, b, r_, twiddles_of(of.first + q), rows + q * 2 * v, of.w * 2 * v);
  }
  T* const result = numbers_.run(rows, other, of.w);
  if (of.first == 0) result[v] = 0;  // a sum of real numbers, whatever was rounded
  put_numbers(of, result, to, factor, copies);
}

// Rows k₁ and m − k₁ of vector q.
template <class T>
void OddLine<T>::put_lines(const Group& of, std::int64_t q, T* a, T* b, T* z, T* copies) const {
  const std::int64_t v = kernels_->lanes, row = z_row_ * static_cast<std::int64_t>(sizeof(T)), k = (of.first + q) * v;
  T *const to = z + k * z_row_, *const last = z + (m_ - k) * z_row_;
  if (!of.is_rest) {
    kernels_->store_turned(a, z_row_ / 2, bytes_of(to), row, {T{1}, T{1}});
    return kernels_->store_turned(b, z_row_ / 2, bytes_of(last), -row, {T{1}, T{1}});
  }
  kernels_->store_turned(a, z_row_ / 2, bytes_of(copies), row, {T{1}, T{1}});
  std::copy_n(copies, n_rest_ * z_row_, to);
  kernels_->store_turned(b, z_row_ / 2, bytes_of(copies), row, {T{1}, T{1}});
  for (std::int64_t l = 0; l < n_rest_; ++l) std::copy_n(copies + l * z_row_, z_row_, last - l * z_row_);
}

template <class T>
void OddLine<T>::numbers_back(std::int64_t group, const std::byte* from, T im, T* z, T* scratch) const {
  const Group of = number_group(group);
  const std::int64_t v = kernels_->lanes, buffer = (r_ + 1) * of.w * 2 * v;
  T *const rows = scratch, *const other = rows + buffer, *const a = other + buffer, *const b = a + z_row_ * v,
           *const copies = b + z_row_ * v;
  get_numbers(of, from, im, rows, copies);
  const T* const result = numbers_.run(rows, other, of.w);
  std::fill(a, copies, T{0});  // columns that are none
  for (std::int64_t q = 0; q < of.w; ++q) {
    odd_->join(result + q * 2 * v, of.w * 2 * v, r_, twiddles_of(of.first + q), a, b);
    put_lines(of, q, a, b, z, copies);
  }
}

template <class T>
std::string OddLine<T>::describe() const {
  return fmt::format("({})·({})", numbers_.describe(), columns_.describe());
}

template class OddLine<float>;
template class OddLine<double>;

}  // namespace crinkle::fft
