// Stockham's stages, lanes apart.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_FFT_STAGES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_FFT_STAGES_INL
#undef CRINKLE_CPU_FFT_STAGES_INL
#else
#define CRINKLE_CPU_FFT_STAGES_INL
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "fft/cpu/fft_butterflies-inl.hpp"
#include "fft/cpu/fft_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
HWY_INLINE Complex<T> load(const T* x) {
  const FftTag<T> d;
  return {hn::LoadU(d, x), hn::LoadU(d, x + fft_lanes<T>)};
}
template <class T>
HWY_INLINE void store(const Complex<T>& a, T* y) {
  const FftTag<T> d;
  hn::StoreU(a.re, d, y);
  hn::StoreU(a.im, d, y + fft_lanes<T>);
}
template <class T>
HWY_INLINE Complex<T> broadcast(const T* t) {
  const FftTag<T> d;
  return {hn::Set(d, t[0]), hn::Set(d, t[1])};
}

template <class T>
HWY_INLINE Complex<T> load_numbers(const std::byte* from) {
  Complex<T> a;
  hn::LoadInterleaved2(FftTag<T>(), reinterpret_cast<const T*>(from), a.re, a.im);
  return a;
}
template <class T>
HWY_INLINE void store_numbers(const Complex<T>& a, std::byte* to) {
  hn::StoreInterleaved2(a.re, a.im, FftTag<T>(), reinterpret_cast<T*>(to));
}

// A stage whose vector q of row j is get(j, q).
template <class T, std::size_t R, class Get, class Vectors>
HWY_INLINE void stage_of(const Get& get, T* HWY_RESTRICT y, std::int64_t m, Vectors s, const T* HWY_RESTRICT twiddles) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>, r = static_cast<std::int64_t>(R);
  const std::int64_t out_step = s * vector;
  for (std::int64_t q = 0; q < s; ++q) {  // p = 0, whose twiddles are 1
    T* to = y + q * vector;
    streamed_butterfly<T, R>([&](auto i) CRINKLE_FFT_INLINE { return get(static_cast<std::int64_t>(i) * m, q); },
                             [&](auto k, const Complex<T>& a)
                                 CRINKLE_FFT_INLINE { store(a, to + static_cast<std::int64_t>(k) * out_step); });
  }
  for (std::int64_t p = 1; p < m; ++p, twiddles += 2 * (r - 1)) {
    for (std::int64_t q = 0; q < s; ++q) {
      T* to = y + (q + s * r * p) * vector;
      streamed_butterfly<T, R>([&](auto i) CRINKLE_FFT_INLINE { return get(p + static_cast<std::int64_t>(i) * m, q); },
                               [&](auto k, const Complex<T>& a) CRINKLE_FFT_INLINE {
                                 if constexpr (decltype(k)::value == 0) store(a, to);
                                 else store(a * broadcast(twiddles + 2 * (k - 1)), to + static_cast<std::int64_t>(k) * out_step);
                               });
    }
  }
}

template <class T, std::size_t R>
void stage(const T* HWY_RESTRICT x, T* HWY_RESTRICT y, std::int64_t m, std::int64_t s, const T* HWY_RESTRICT twiddles) {
  const auto run = [&](auto n_vectors) CRINKLE_FFT_INLINE {
    const auto get = [&](std::int64_t j, std::int64_t q) CRINKLE_FFT_INLINE { return load(x + (q + n_vectors * j) * 2 * fft_lanes<T>); };
    stage_of<T, R>(get, y, m, n_vectors, twiddles);
  };
  if (s == 1) run(std::integral_constant<std::int64_t, 1>{});  // of one line: places are constants
  else run(s);
}

template <class T, std::size_t R>
void first_stage(const std::byte* from, std::int64_t stride, T* HWY_RESTRICT y, std::int64_t m, std::int64_t w,
                 const T* HWY_RESTRICT twiddles, T im) {
  constexpr std::int64_t bytes = 2 * fft_lanes<T> * static_cast<std::int64_t>(sizeof(T));
  const FftVec<T> sign = hn::Set(FftTag<T>(), im);
  const auto get = [&](std::int64_t j, std::int64_t q) CRINKLE_FFT_INLINE {
    const Complex<T> a = load_numbers<T>(from + j * stride + q * bytes);
    return Complex<T>{a.re, hn::Mul(a.im, sign)};
  };
  stage_of<T, R>(get, y, m, w, twiddles);
}

template <class T, std::size_t R>
void last_stage(const T* HWY_RESTRICT x, std::byte* to, std::int64_t stride, std::int64_t n, std::int64_t w, FftFactor<T> factor) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>, bytes = vector * static_cast<std::int64_t>(sizeof(T));
  const FftVec<T> re = hn::Set(FftTag<T>(), factor.re), im = hn::Set(FftTag<T>(), factor.im);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t q = 0; q < w; ++q) {
      streamed_butterfly<T, R>(
          [&](auto i) CRINKLE_FFT_INLINE { return load(x + ((j + n * static_cast<std::int64_t>(i)) * w + q) * vector); },
          [&](auto k, const Complex<T>& a) CRINKLE_FFT_INLINE {
            store_numbers<T>({hn::Mul(a.re, re), hn::Mul(a.im, im)}, to + (j + n * static_cast<std::int64_t>(k)) * stride + q * bytes);
          });
    }
  }
}

template <class T>
void any_stage(const T* HWY_RESTRICT x, T* HWY_RESTRICT y, std::int64_t r, std::int64_t m, std::int64_t s, const T* HWY_RESTRICT twiddles,
               const T* HWY_RESTRICT roots) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>, most = FftKernelsOf<T>::most_any / 2 + 1;
  const FftTag<T> d;
  const std::int64_t half = (r - 1) / 2;
  HWY_ALIGN T sums[static_cast<std::size_t>(most * vector)], differences[static_cast<std::size_t>(most * vector)];
  for (std::int64_t p = 0; p < m; ++p) {
    const T* w = p == 0 ? twiddles : twiddles + 2 * (r - 1) * (p - 1);  // [r − 1], of p ≥ 1
    const auto put = [&](const Complex<T>& a, std::int64_t k, T* to)
                         HWY_ATTR { store(p == 0 || k == 0 ? a : a * broadcast(w + 2 * (k - 1)), to + s * k * vector); };
    for (std::int64_t q = 0; q < s; ++q) {
      const T* from = x + (q + s * p) * vector;
      T* to = y + (q + s * r * p) * vector;
      const Complex<T> first = load(from);
      Complex<T> sum = first;
      for (std::int64_t j = 1; j <= half; ++j) {
        const Complex<T> a = load(from + s * m * j * vector), b = load(from + s * m * (r - j) * vector);
        store(a + b, sums + j * vector);
        store(a - b, differences + j * vector);
        sum = sum + (a + b);
      }
      put(sum, 0, to);
      for (std::int64_t k = 1; k <= half; ++k) {
        Complex<T> even = first, odd = {hn::Zero(d), hn::Zero(d)};
        for (std::int64_t j = 1, place = k; j <= half; ++j, place = place + k < r ? place + k : place + k - r) {
          const Complex<T> root = broadcast(roots + 2 * place), t = load(sums + j * vector), u = load(differences + j * vector);
          even = {hn::MulAdd(t.re, root.re, even.re), hn::MulAdd(t.im, root.re, even.im)};
          odd = {hn::MulAdd(u.re, root.im, odd.re), hn::MulAdd(u.im, root.im, odd.im)};
        }
        put({hn::Add(even.re, odd.im), hn::Sub(even.im, odd.re)}, k, to);
        put({hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)}, r - k, to);
      }
    }
  }
}

/// Puts the stages of these radices into the table; those up to 9 also begin and end transforms.
template <std::size_t... R, class T>
void put_radices(FftKernelsOf<T>& kernels) {
  const auto put = [&]<std::size_t r>(std::integral_constant<std::size_t, r>) {
    kernels.stages[r] = stage<T, r>;
    if constexpr (r <= 9) {
      kernels.first_stages[r] = first_stage<T, r>;
      kernels.last_stages[r] = last_stage<T, r>;
    }
  };
  (put(std::integral_constant<std::size_t, R>()), ...);
}

/// Radices 2 to 5, 7 and 8, 9 and 11, 13, 15: each group is compiled alone (fft_radices_*_kernels.cpp), so that several cores share them.
void put_radices_2(FftKernelsOf<float>& kernels);
void put_radices_2(FftKernelsOf<double>& kernels);
void put_radices_7(FftKernelsOf<float>& kernels);
void put_radices_7(FftKernelsOf<double>& kernels);
void put_radices_9(FftKernelsOf<float>& kernels);
void put_radices_9(FftKernelsOf<double>& kernels);
void put_radices_13(FftKernelsOf<float>& kernels);
void put_radices_13(FftKernelsOf<double>& kernels);
void put_radices_15(FftKernelsOf<float>& kernels);
void put_radices_15(FftKernelsOf<double>& kernels);

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
