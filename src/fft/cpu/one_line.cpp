// One line at a time: packed numbers, a copy where they are not, through their transform, and to where they belong.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "fft/at.hpp"
#include "fft/cpu/pass.hpp"

namespace crinkle::fft {
namespace {

template <class T>
void copy_elements(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j) std::memcpy(to + j * to_stride, from + j * from_stride, sizeof(T));
}

// `size` is of one part or two.
template <class T>
void copy_numbers(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride, std::int64_t n,
                  std::int64_t size) {
  if (from_stride == size && to_stride == size) std::memcpy(to, from, at(n * size));
  else if (size == sizeof(T)) copy_elements<T>(from, from_stride, to, to_stride, n);
  else copy_elements<T[2]>(from, from_stride, to, to_stride, n);
}

}  // namespace

// The line's elements one behind the other, in its own order and as many as there shall be: where they are, or in `own`. Zeros are
// such that they are positive behind a product with im_in_, as those of rows.
template <class T>
const std::byte* CpuPass<T>::packed_in(const std::byte* in, T* own) const {
  const std::int64_t size = in_element(), n = axis_.kind == FftKind::complex_to_real ? axis_.n / 2 + 1 : axis_.n;
  if (axis_.in == size && axis_.in_shift == 0 && axis_.n_in == n && is_aligned(in, 0, 0)) return in;
  std::byte* const to = bytes_of(own);
  for_each_part(in, axis_.n_in, axis_.in, axis_.in_shift, [&](const std::byte* from, std::int64_t begin, std::int64_t end) {
    copy_numbers<T>(from, axis_.in, to + begin * size, size, end - begin, size);
  });
  const std::int64_t parts = axis_.parts_in();
  for (std::int64_t i = parts * axis_.n_in; i < parts * n; ++i) own[i] = i % 2 == 0 ? T{0} : T{0} * im_in_;
  return to;
}

template <class T>
bool CpuPass<T>::is_packed_out(const std::byte* out) const {
  return axis_.out == out_element() && axis_.out_shift == 0 && is_aligned(out, 0, 0);
}

template <class T>
void CpuPass<T>::copy_out(const T* own, std::byte* out) const {
  const std::int64_t size = out_element();
  for_each_part(out, axis_.n_out(), axis_.out, axis_.out_shift, [&](std::byte* to, std::int64_t begin, std::int64_t end) {
    copy_numbers<T>(bytes_of(own) + begin * size, size, to, axis_.out, end - begin, size);
  });
}

// fold_rows of one line's numbers.
template <class T>
void CpuPass<T>::fold_numbers(const std::byte* x, std::byte* y, T im, simd::FftFactor<T> factor) const {
  const std::int64_t h = axis_.n / 2;
  T first[2], last[2];
  std::memcpy(first, x, sizeof(first));
  if (axis_.kind == FftKind::real_to_complex) {  // 2 (re + im), 2 (re − im)
    last[0] = 2 * (first[0] - first[1]) * factor.re;
    first[0] = 2 * (first[0] + first[1]) * factor.re;
    first[1] = last[1] = T{0} * factor.im;
    std::memcpy(y + h * number, last, sizeof(last));
  } else {  // of real numbers a and b: (a + b) − i (a − b)
    std::memcpy(last, x + h * number, sizeof(last));
    first[1] = (last[0] - first[0]) * factor.im;
    first[0] = (first[0] + last[0]) * factor.re;
  }
  std::memcpy(y, first, sizeof(first));
  kernels_->fold_numbers(x, y, h, fold_.data(), im, factor);
}

template <class T>
void CpuPass<T>::run_line(const std::byte* in, std::byte* out, T* a, T* b, T* own) const {
  if (axis_.kind != FftKind::complex_to_complex && !is_half()) return run_odd_line(in, out, a, b, own);
  const bool is_packed = is_packed_out(out);
  std::byte* const numbers = bytes_of(own);
  if (axis_.kind == FftKind::real_to_complex) {
    line_->run_line({packed_in(in, own), T{1}, numbers, {T{1}, T{1}}}, a, b);
    fold_numbers(numbers, is_packed ? out : bytes_of(a), T{1}, factor_);
    if (!is_packed) copy_out(a, out);
    return;
  }
  std::byte* const to = is_packed ? out : numbers;
  const bool is_far = is_packed && fetches_ == Fetches::line;
  if (axis_.kind == FftKind::complex_to_real) {
    fold_numbers(packed_in(in, b), numbers, im_in_, {T{1}, T{1}});
    line_->run_line({numbers, T{1}, to, factor_, is_far}, a, b);
  } else {
    line_->run_line({packed_in(in, own), im_in_, to, factor_, is_far}, a, b);
  }
  if (!is_packed) copy_out(own, out);
}

// Real numbers are complex ones; of half a transform the other half is its mirror image.
template <class T>
void CpuPass<T>::run_odd_line(const std::byte* in, std::byte* out, T* a, T* b, T* own) const {
  const std::int64_t n = axis_.n;
  const T* const x = reinterpret_cast<const T*>(packed_in(in, b));
  const bool is_real_in = axis_.kind == FftKind::real_to_complex;
  own[0] = x[0];
  own[1] = 0;
  if (is_real_in) {
    for (std::int64_t j = 1; j < n; ++j) {
      own[2 * j] = x[j];
      own[2 * j + 1] = 0;
    }
  } else {
    for (std::int64_t k = 1; k <= n / 2; ++k) {
      const T im = x[2 * k + 1] * im_in_;
      own[2 * k] = own[2 * (n - k)] = x[2 * k];
      own[2 * k + 1] = im;
      own[2 * (n - k) + 1] = -im;
    }
  }
  line_->run_line({bytes_of(own), T{1}, bytes_of(own), factor_}, a, b);
  if (is_real_in) own[1] = T{0} * factor_.im;  // a sum of real numbers, whatever was rounded
  else
    for (std::int64_t j = 1; j < n; ++j) own[j] = own[2 * j];
  copy_out(own, out);
}

template void CpuPass<float>::run_line(const std::byte*, std::byte*, float*, float*, float*) const;
template void CpuPass<double>::run_line(const std::byte*, std::byte*, double*, double*, double*) const;

}  // namespace crinkle::fft
