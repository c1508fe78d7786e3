// Lines of an axis into scratch memory, through their transform, and out again.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "fft/at.hpp"
#include "fft/cpu/pass.hpp"

namespace crinkle::fft {

// How many of n interleaved numbers of each line whole vectors brought; `is_packed` where they lie one behind the other.
template <class T>
std::int64_t CpuPass<T>::load_vectors(const std::byte* in, std::int64_t n, bool is_packed, std::int64_t n_lines, const RowPlace& place,
                                      T* rows) const {
  const std::int64_t whole = n / place.lanes * place.lanes;
  if (n_lines % place.lanes == 0 && way_ == Way::columns && lanes_.in == number && is_aligned(in, axis_.in, 0)) {
    kernels_->load_rows(in, axis_.in, n, place.w, rows, {T{1}, im_in_});
    return n;
  }
  if (!is_packed || !is_aligned(in, lanes_.in, 0) || way_ != Way::gathered || n_lines != place.lanes) return 0;
  kernels_->load_turned(in, lanes_.in, whole, rows, im_in_);
  return whole;
}

template <class T>
void CpuPass<T>::load(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const {
  if (n_lines % place.lanes != 0) std::fill(rows, rows + line_->n_rows() * place.w * 2 * place.lanes, T{0});
  if (axis_.kind == FftKind::complex_to_real) return load_half_complex(in, n_lines, place, rows);
  for_each_part(in, axis_.n_in, axis_.in, axis_.in_shift,
                [&](const std::byte* from, std::int64_t begin, std::int64_t end) { load_part(from, begin, end, n_lines, place, rows); });
  std::fill(rows + place(ceil_divide(axis_.n_in, is_half() ? 2 : 1), 0), rows + place(line_->n(), 0), T{0});
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

// Numbers 0 … N/2; of an odd N, where the first is taken as real, also their mirror images.
template <class T>
void CpuPass<T>::load_half_complex(const std::byte* in, std::int64_t n_lines, const RowPlace& place, T* rows) const {
  const std::int64_t n = axis_.n, h = n / 2, done = load_vectors(in, axis_.n_in, axis_.in == number, n_lines, place, rows);
  read_complex(in + done * axis_.in, Lines{axis_.n_in - done, n_lines, axis_.in, lanes_.in}, place, im_in_, rows + place(done, 0));
  std::fill(rows + place(axis_.n_in, 0), rows + place(h + 1, 0), T{0});
  if (n % 2 == 0) return;
  for (std::int64_t l = 0; l < n_lines; ++l) rows[place(0, l) + place.lanes] = T{0};
  for (std::int64_t k = 1; k <= h; ++k) {
    for (std::int64_t l = 0; l < n_lines; ++l) {
      rows[place(n - k, l)] = rows[place(k, l)];
      rows[place(n - k, l) + place.lanes] = -rows[place(k, l) + place.lanes];
    }
  }
}

template <class T>
void CpuPass<T>::store(const T* rows, std::int64_t n_lines, const RowPlace& place, std::byte* out) const {
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
  if (way_ == Way::columns && axis_.in_shift == 0 && axis_.out_shift == 0 && axis_.kind == FftKind::complex_to_complex &&
      axis_.n_in == axis_.n && n_lines % kernels_->lanes == 0 && line_->can_run_through() && is_aligned(in, axis_.in, lanes_.in) &&
      is_aligned(out, axis_.out, lanes_.out))
    return line_->run_through({in, axis_.in, im_in_}, a, b, place.w, {out, axis_.out, factor_});
  load(in, n_lines, place, a);
  const auto fold = [&](T* rows, std::int64_t first) { kernels_->fold_rows(rows, axis_.n / 2, place.w, first, fold_.data()); };
  if (is_half() && axis_.kind == FftKind::complex_to_real) fold(a, axis_.n / 2);
  T* x = line_->run_rows(a, b, place.w);
  if (axis_.kind == FftKind::real_to_complex) {
    if (is_half()) fold(x, 0);
    else
      for (std::int64_t l = 0; l < n_lines; ++l) x[place(0, l) + place.lanes] = T{0};  // a sum of real numbers, whatever was rounded
  }
  store(x, n_lines, place, out);
}

template void CpuPass<float>::run_group(const std::byte*, std::byte*, std::int64_t, float*, float*) const;
template void CpuPass<double>::run_group(const std::byte*, std::byte*, std::int64_t, double*, double*) const;

}  // namespace crinkle::fft
