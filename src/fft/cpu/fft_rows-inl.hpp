// Rows of vectors from and to interleaved complex numbers, products with tables, and the two halves of a real transform.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_FFT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_FFT_ROWS_INL
#undef CRINKLE_CPU_FFT_ROWS_INL
#else
#define CRINKLE_CPU_FFT_ROWS_INL
#endif

#include <cstring>

#include "fft/cpu/fft_stages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
void load_rows(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t w, T* HWY_RESTRICT rows, FftFactor<T> factor) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  const FftTag<T> d;
  const FftVec<T> re = hn::Set(d, factor.re), im = hn::Set(d, factor.im);
  for (std::int64_t j = 0; j < n; ++j, from += stride) {
    const T* row = reinterpret_cast<const T*>(from);
    for (std::int64_t q = 0; q < w; ++q, rows += vector) {
      Complex<T> a;
      hn::LoadInterleaved2(d, row + q * vector, a.re, a.im);
      store<T>({hn::Mul(a.re, re), hn::Mul(a.im, im)}, rows);
    }
  }
}

template <class T>
void store_rows(const T* HWY_RESTRICT rows, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, FftFactor<T> factor) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  const FftTag<T> d;
  const FftVec<T> re = hn::Set(d, factor.re), im = hn::Set(d, factor.im);
  for (std::int64_t j = 0; j < n; ++j, to += stride) {
    T* row = reinterpret_cast<T*>(to);
    for (std::int64_t q = 0; q < w; ++q, rows += vector) {
      const Complex<T> a = load(rows);
      hn::StoreInterleaved2(hn::Mul(a.re, re), hn::Mul(a.im, im), d, row + q * vector);
    }
  }
}

template <class T>
HWY_INLINE Complex<T> with_im(const Complex<T>& a, FftVec<T> im) {
  return {a.re, hn::Mul(a.im, im)};
}

template <class T>
void store_products(const T* HWY_RESTRICT rows, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, const T* HWY_RESTRICT t,
                    T im_in, FftFactor<T> factor) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>, bytes = vector * static_cast<std::int64_t>(sizeof(T));
  const FftTag<T> d;
  const FftVec<T> in = hn::Set(d, im_in), re = hn::Set(d, factor.re), im = hn::Set(d, factor.im);
  for (std::int64_t j = 0; j < n; ++j, to += stride) {
    for (std::int64_t q = 0; q < w; ++q, rows += vector, t += vector) {
      const Complex<T> a = with_im(load(rows), in) * load(t);
      store_numbers<T>({hn::Mul(a.re, re), hn::Mul(a.im, im)}, to + q * bytes);
    }
  }
}

template <class T>
void multiply_rows(T* x, std::int64_t n, std::int64_t w, const T* HWY_RESTRICT t, T im_in, T im_out) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  const FftVec<T> in = hn::Set(FftTag<T>(), im_in), out = hn::Set(FftTag<T>(), im_out);
  for (std::int64_t j = 0; j < n; ++j) {
    const Complex<T> by = broadcast(t + 2 * j);
    for (std::int64_t q = 0; q < w; ++q, x += vector) store(with_im(with_im(load(x), in) * by, out), x);
  }
}

template <class T>
void multiply_vectors(T* x, std::int64_t n, const T* HWY_RESTRICT t, T im_in, T im_out) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  const FftVec<T> in = hn::Set(FftTag<T>(), im_in), out = hn::Set(FftTag<T>(), im_out);
  for (std::int64_t j = 0; j < n; ++j, x += vector, t += vector) store(with_im(with_im(load(x), in) * load(t), out), x);
}

template <class T>
void multiply_numbers(const std::byte* x, std::byte* y, std::int64_t n, const T* HWY_RESTRICT t, T im_in) {
  constexpr std::int64_t lanes = fft_lanes<T>, vector = 2 * lanes, number = 2 * sizeof(T);
  const FftVec<T> in = hn::Set(FftTag<T>(), im_in);
  std::int64_t j = 0;
  for (; j + lanes <= n; j += lanes, t += vector) store_numbers(with_im(load_numbers<T>(x + j * number), in) * load(t), y + j * number);
  if (j == n) return;
  HWY_ALIGN T last[static_cast<std::size_t>(vector)] = {};
  auto* const rest = reinterpret_cast<std::byte*>(last);
  std::memcpy(rest, x + j * number, static_cast<std::size_t>((n - j) * number));
  store_numbers(with_im(load_numbers<T>(rest), in) * load(t), rest);
  std::memcpy(y + j * number, rest, static_cast<std::size_t>((n - j) * number));
}

template <class T>
HWY_INLINE Complex<T> conjugate(const Complex<T>& a) {
  return {a.re, hn::Neg(a.im)};
}

template <class T>
void fold_rows(T* x, std::int64_t h, std::int64_t w, std::int64_t first, const T* HWY_RESTRICT u) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  const FftVec<T> zero = hn::Zero(FftTag<T>());
  for (std::int64_t q = 0; q < w; ++q) {  // real numbers
    T *const at = x + q * vector, *const other = at + h * w * vector;
    const Complex<T> a = load(at);
    if (first == 0) {
      const FftVec<T> sum = hn::Add(a.re, a.im), difference = hn::Sub(a.re, a.im);
      store<T>({hn::Add(sum, sum), zero}, at);
      store<T>({hn::Add(difference, difference), zero}, other);
    } else {
      const FftVec<T> b = load(other).re;
      store<T>({hn::Add(a.re, b), hn::Sub(b, a.re)}, at);
    }
  }
  for (std::int64_t k = 1; 2 * k <= h; ++k) {
    const Complex<T> by = broadcast(u + 2 * k);
    for (std::int64_t q = 0; q < w; ++q) {
      T* at = x + (k * w + q) * vector;
      T* other = x + ((h - k) * w + q) * vector;
      const Complex<T> a = load(at), b = conjugate(load(other));
      const Complex<T> s = a + b, p = by * (a - b);
      store(conjugate(s - p), other);
      store(s + p, at);
    }
  }
}

template <class T>
void fold_numbers(const std::byte* x, std::byte* y, std::int64_t h, const T* HWY_RESTRICT u, T im, FftFactor<T> factor) {
  constexpr std::int64_t lanes = fft_lanes<T>, vector = 2 * lanes, number = 2 * sizeof(T);
  const FftTag<T> d;
  const FftVec<T> sign = hn::Set(d, im), f_re = hn::Set(d, factor.re), f_im = hn::Set(d, factor.im);
  for (std::int64_t block = 1; 2 * block <= h; block += lanes, u += vector) {
    const std::int64_t k = block + lanes - 1 > h / 2 ? h / 2 - lanes + 1 : block, other = (h - k - lanes + 1) * number;
    const Complex<T> a = with_im(load_numbers<T>(x + k * number), sign), b = load_numbers<T>(x + other);
    const Complex<T> c = {hn::Reverse(d, b.re), hn::Neg(hn::Mul(hn::Reverse(d, b.im), sign))};
    const Complex<T> s = a + c, p = load(u) * (a - c), first = s + p, last = conjugate(s - p);
    store_numbers<T>({hn::Mul(hn::Reverse(d, last.re), f_re), hn::Mul(hn::Reverse(d, last.im), f_im)}, y + other);
    store_numbers<T>({hn::Mul(first.re, f_re), hn::Mul(first.im, f_im)}, y + k * number);
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
