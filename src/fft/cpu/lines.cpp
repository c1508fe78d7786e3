// Lines of an axis into scratch memory, through their transform, and out again.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cpu/pass.hpp"

namespace crinkle::fft {
namespace {

void copy_numbers(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride, std::int64_t n,
                  std::int64_t size) {
  if (from_stride == size && to_stride == size) {
    std::memcpy(to, from, at(n * size));
    return;
  }
  for (std::int64_t j = 0; j < n; ++j) std::memcpy(to + j * to_stride, from + j * from_stride, at(size));
}

}  // namespace

template <class T>
bool CpuPass<T>::is_aligned(const std::byte* p, std::int64_t stride, std::int64_t line_stride) const {
  const auto bits = reinterpret_cast<std::uintptr_t>(p) | static_cast<std::uintptr_t>(stride) | static_cast<std::uintptr_t>(line_stride);
  return bits % sizeof(T) == 0;
}

// Zeros for the numbers of a line from `begin` on.
template <class T>
void CpuPass<T>::fill(std::int64_t begin, std::int64_t end, const RowPlace& place, T* rows) const {
  if (place.is_one_line()) {
    end = ceil_divide(end, place.n_numbers) * place.n_numbers;
    for (std::int64_t j = begin; j < end; ++j) rows[place(j, 0)] = rows[place(j, 0) + place.lanes] = T{0};
  } else if (begin < end) {
    std::fill(rows + place(begin, 0), rows + place(end, 0), T{0});
  }
}

// How many of n interleaved numbers of each line whole vectors brought; `is_packed` where they lie one behind the other.
template <class T>
std::int64_t CpuPass<T>::load_vectors(const std::byte* in, std::int64_t n, bool is_packed, std::int64_t n_lines, const RowPlace& place,
                                      T* rows) const {
  const std::int64_t whole = n / place.lanes * place.lanes;
  if (n_lines % place.lanes == 0 && way_ == Way::columns && lanes_.in == number && is_aligned(in, axis_.in, 0)) {
    kernels_->load_rows(in, axis_.in, n, place.w, rows, {T{1}, im_in_});
    return n;
  }
  if (!is_packed || !is_aligned(in, lanes_.in, 0)) return 0;
  if (place.n_numbers == place.lanes) {
    kernels_->load_rows(in, place.lanes * number, whole / place.lanes, 1, rows, {T{1}, im_in_});
    return whole;
  }
  if (way_ != Way::gathered || n_lines != place.lanes) return 0;
  kernels_->load_turned(in, lanes_.in, whole, rows, im_in_);
  return whole;
}

template <class T>
void CpuPass<T>::load(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const {
  if (!place.is_one_line() && n_lines % place.lanes != 0) std::fill(rows, rows + line_->n_rows() * place.w * 2 * place.lanes, T{0});
  if (axis_.kind == FftKind::complex_to_real) return load_half_complex(in, n_lines, place, rows);
  if (place.is_one_line()) {
    load_part(in, 0, axis_.n_in, n_lines, place, rows);  // of a shifted line its copy
  } else {
    for_each_part(in, axis_.n_in, axis_.in, axis_.in_shift,
                  [&](const std::byte* from, std::int64_t begin, std::int64_t end) { load_part(from, begin, end, n_lines, place, rows); });
  }
  fill(ceil_divide(axis_.n_in, is_half() ? 2 : 1), line_->n(), place, rows);
}

// Numbers begin … end − 1 of each line, which lie at `in`.
template <class T>
void CpuPass<T>::load_part(const std::byte* in, std::int64_t begin, std::int64_t end, std::int64_t n_lines, const RowPlace& place,
                           T* rows) const {
  const bool is_complex = axis_.kind == FftKind::complex_to_complex;
  const std::int64_t step = is_half() ? 2 : 1;  // real numbers in a complex one
  const std::int64_t n = end - begin, first = begin % step;
  T* to = rows + place(begin / step, 0);
  std::int64_t done = 0;
  if (is_complex || (is_half() && first == 0)) done = load_vectors(in, n / step, axis_.in == number / step, n_lines, place, to);
  const Lines rest{n - step * done, n_lines, axis_.in, lanes_.in, first};
  const std::byte* from = in + step * done * axis_.in;
  to += place(done, 0);
  if (rest.n == 0) return;
  if (is_complex) read_complex(from, rest, place, im_in_, to);
  else if (is_half()) read_pairs(from, rest, place, to);
  else read_reals(from, rest, place, to);
}

// Numbers 0 … N/2, of which the first, and the last of an even N, are real; for an odd N also their mirror images.
template <class T>
void CpuPass<T>::load_half_complex(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const {
  const std::int64_t n = axis_.n, h = n / 2, done = load_vectors(in, axis_.n_in, axis_.in == number, n_lines, place, rows);
  read_complex(in + done * axis_.in, Lines{axis_.n_in - done, n_lines, axis_.in, lanes_.in}, place, im_in_, rows + place(done, 0));
  fill(axis_.n_in, h + 1, place, rows);
  for (std::int64_t l = 0; l < n_lines; ++l) {
    rows[place(0, l) + place.lanes] = T{0};
    if (n % 2 == 0) rows[place(h, l) + place.lanes] = T{0};
  }
  if (n % 2 == 0) return;
  for (std::int64_t k = 1; k <= h; ++k) {
    for (std::int64_t l = 0; l < n_lines; ++l) {
      rows[place(n - k, l)] = rows[place(k, l)];
      rows[place(n - k, l) + place.lanes] = -rows[place(k, l) + place.lanes];
    }
  }
  if (place.is_one_line()) fill(n, n, place, rows);
}

// One line's two halves, as fold_rows does several lines'.
template <class T>
void CpuPass<T>::fold(T* rows, std::int64_t n_lines, const RowPlace& place) const {
  const std::int64_t h = axis_.n / 2, first = axis_.kind == FftKind::real_to_complex ? 0 : h;
  if (!place.is_one_line()) return kernels_->fold_rows(rows, h, ceil_divide(n_lines, place.lanes), first, fold_.data());
  for (std::int64_t k = 0; 2 * k <= h; ++k) {
    T* a = rows + place(k, 0);
    T* b = rows + place(h - k, 0);
    const T* c = k == 0 && first == 0 ? a : b;
    const T s_re = a[0] + c[0], s_im = a[place.lanes] - c[place.lanes], d_re = a[0] - c[0], d_im = a[place.lanes] + c[place.lanes];
    const T u_re = fold_[at(2 * k)], u_im = fold_[at(2 * k + 1)];
    const T p_re = u_re * d_re - u_im * d_im, p_im = u_re * d_im + u_im * d_re;
    b[0] = s_re - p_re;
    b[place.lanes] = p_im - s_im;
    a[0] = s_re + p_re;
    a[place.lanes] = s_im + p_im;
  }
}

// A sum of real numbers has no imaginary part, whatever was rounded on the way.
template <class T>
void CpuPass<T>::make_real(T* rows, std::int64_t n_lines, const RowPlace& place) const {
  if (axis_.kind != FftKind::real_to_complex || is_half()) return;
  for (std::int64_t l = 0; l < n_lines; ++l) rows[place(0, l) + place.lanes] = T{0};
}

template <class T>
void CpuPass<T>::store(const T* rows, std::int64_t n_lines, const RowPlace& place, std::byte* out) const {
  if (way_ == Way::line) return store_part(rows, 0, axis_.n_out(), n_lines, place, out);  // of a shifted line its copy
  for_each_part(out, axis_.n_out(), axis_.out, axis_.out_shift,
                [&](std::byte* to, std::int64_t begin, std::int64_t end) { store_part(rows, begin, end, n_lines, place, to); });
}

// Numbers begin … end − 1 of each line, to `out`.
template <class T>
void CpuPass<T>::store_part(const T* rows, std::int64_t begin, std::int64_t end, std::int64_t n_lines, const RowPlace& place,
                            std::byte* out) const {
  const std::int64_t step = is_half() && axis_.kind == FftKind::complex_to_real ? 2 : 1;
  const Lines lines{end - begin, n_lines, axis_.out, lanes_.out, begin % step};
  rows += place(begin / step, 0);
  if (axis_.kind == FftKind::complex_to_real) {
    if (is_half() && lines.first == 0 && way_ == Way::gathered && n_lines == place.lanes && axis_.out == number / 2 &&
        is_aligned(out, lanes_.out, 0)) {
      const std::int64_t whole = lines.n / 2 / place.lanes * place.lanes;
      kernels_->store_turned(rows, whole, out, lanes_.out, factor_);
      return write_pairs(rows + place(whole, 0), Lines{lines.n - 2 * whole, n_lines, axis_.out, lanes_.out}, place, factor_.re, factor_.im,
                         out + 2 * whole * axis_.out);
    }
    if (is_half()) return write_pairs(rows, lines, place, factor_.re, factor_.im, out);
    return write_reals(rows, lines, place, factor_.re, out);
  }
  const bool is_turned = way_ == Way::gathered && n_lines == place.lanes && axis_.out == number && is_aligned(out, lanes_.out, 0);
  if (is_turned) {
    const std::int64_t whole = lines.n / place.lanes * place.lanes;
    kernels_->store_turned(rows, whole, out, lanes_.out, factor_);
    return write_complex(rows + place(whole, 0), Lines{lines.n - whole, n_lines, axis_.out, lanes_.out}, place, factor_.re, factor_.im,
                         out + whole * axis_.out);
  }
  const bool has_whole_vectors = way_ == Way::columns && n_lines % place.lanes == 0 && lanes_.out == number;
  if (has_whole_vectors && is_aligned(out, axis_.out, lanes_.out)) kernels_->store_rows(rows, lines.n, place.w, out, axis_.out, factor_);
  else write_complex(rows, lines, place, factor_.re, factor_.im, out);
}

template <class T>
void CpuPass<T>::run_group(const std::byte* in, std::byte* out, std::int64_t n_lines, T* a, T* b) const {
  const RowPlace place{kernels_->lanes, ceil_divide(n_lines, kernels_->lanes)};
  if (way_ == Way::columns && !is_shifted() && axis_.kind == FftKind::complex_to_complex && axis_.n_in == axis_.n &&
      n_lines % kernels_->lanes == 0 && line_->can_run_through() && is_aligned(in, axis_.in, lanes_.in) &&
      is_aligned(out, axis_.out, lanes_.out))
    return line_->run_through({in, axis_.in, im_in_}, a, b, place.w, {out, axis_.out, factor_});
  load(in, n_lines, place, a);
  if (is_half() && axis_.kind == FftKind::complex_to_real) fold(a, n_lines, place);
  T* x = line_->run_rows(a, b, place.w);
  make_real(x, n_lines, place);
  if (is_half() && axis_.kind == FftKind::real_to_complex) fold(x, n_lines, place);
  store(x, n_lines, place, out);
}

template <class T>
bool CpuPass<T>::can_fold_numbers() const {
  return is_half() && axis_.n_in == (axis_.kind == FftKind::real_to_complex ? axis_.n : axis_.n / 2 + 1) && line_->can_begin() &&
         line_->n() >= 2 * kernels_->lanes;
}

// fold_rows of one line's numbers.
template <class T>
void CpuPass<T>::fold_numbers(const std::byte* x, std::byte* y, T im, simd::FftFactor<T> factor) const {
  const std::int64_t h = axis_.n / 2;
  const bool is_forward = axis_.kind == FftKind::real_to_complex;
  T first[2], last[2];
  std::memcpy(first, x, sizeof(first));
  if (is_forward) {  // 2 (re + im), 2 (re − im)
    last[0] = 2 * (first[0] - first[1]) * factor.re;
    first[0] = 2 * (first[0] + first[1]) * factor.re;
    first[1] = last[1] = 0;
    std::memcpy(y + h * number, last, sizeof(last));
  } else {  // of real numbers a and b: (a + b) − i (a − b)
    std::memcpy(last, x + h * number, sizeof(last));
    first[1] = (last[0] - first[0]) * factor.im;
    first[0] = (first[0] + last[0]) * factor.re;
  }
  std::memcpy(y, first, sizeof(first));
  kernels_->fold_numbers(x, y, h, fold_vectors_.data(), im, factor);
}

// The result of a line comes as interleaved numbers: straight to where it belongs, or into scratch memory, which is rows of one lane.
template <class T>
void CpuPass<T>::run_line(const std::byte* in, std::byte* out, T* a, T* b) const {
  const RowPlace place{kernels_->lanes, line_->n_vectors(), line_->n_numbers()};
  const bool is_complex = axis_.kind == FftKind::complex_to_complex, is_real_out = axis_.kind == FftKind::complex_to_real;
  const std::int64_t step_in = axis_.kind == FftKind::real_to_complex ? 2 : 1, step_out = is_real_out ? 2 : 1;
  const bool has_packed_in = axis_.in * step_in == number && is_aligned(in, axis_.in, 0);
  const bool has_packed_out = axis_.out * step_out == number && is_aligned(out, axis_.out, 0);
  T* x = b + buffer_;
  auto* numbers = reinterpret_cast<std::byte*>(x);
  if (is_complex && has_packed_in && has_packed_out && axis_.n_in == axis_.n && line_->can_begin())
    return line_->run_numbers(in, im_in_, a, b, out, factor_);
  if (has_packed_in && has_packed_out && can_fold_numbers()) {
    if (is_real_out) {
      fold_numbers(in, numbers, im_in_, {T{1}, T{1}});
      return line_->run_numbers(numbers, T{1}, a, b, out, factor_);
    }
    line_->run_numbers(in, T{1}, a, b, numbers, {T{1}, T{1}});
    return fold_numbers(numbers, out, T{1}, factor_);
  }
  load(in, 1, place, a);
  if (is_half() && is_real_out) fold(a, 1, place);
  if (is_complex && has_packed_out) return line_->run_numbers(a, b, out, factor_);
  line_->run_numbers(a, b, numbers, {T{1}, T{1}});
  const RowPlace interleaved{1, 1, 1};
  make_real(x, 1, interleaved);
  if (is_half() && axis_.kind == FftKind::real_to_complex) fold(x, 1, interleaved);
  store(x, 1, interleaved, out);
}

// Through a copy of the line, or of its result, whose number 0 comes first.
template <class T>
void CpuPass<T>::run_shifted_line(const std::byte* in, std::byte* out, T* a, T* b) const {
  auto* const own = reinterpret_cast<std::byte*>(b + 2 * buffer_);
  if (axis_.in_shift != 0) {
    for_each_part(in, axis_.n_in, array_in_, axis_.in_shift, [&](const std::byte* from, std::int64_t begin, std::int64_t end) {
      copy_numbers(from, array_in_, own + begin * axis_.in, axis_.in, end - begin, in_element());
    });
  }
  run_line(axis_.in_shift != 0 ? own : in, axis_.out_shift != 0 ? own : out, a, b);
  if (axis_.out_shift == 0) return;
  for_each_part(out, axis_.n_out(), array_out_, axis_.out_shift, [&](std::byte* to, std::int64_t begin, std::int64_t end) {
    copy_numbers(own + begin * axis_.out, axis_.out, to, array_out_, end - begin, out_element());
  });
}

template class CpuPass<float>;
template class CpuPass<double>;

}  // namespace crinkle::fft
