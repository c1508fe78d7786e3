// Where lanes meet: squares of vectors are turned, so that numbers of one line that lie in lanes come together, or columns become rows.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_FFT_ACROSS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_FFT_ACROSS_INL
#undef CRINKLE_CPU_FFT_ACROSS_INL
#else
#define CRINKLE_CPU_FFT_ACROSS_INL
#endif

#include <cstring>

#include "fft/cpu/fft_stages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// Vector i becomes lane i of all.
#if HWY_TARGET == HWY_SCALAR
template <class T, std::size_t N>
HWY_INLINE void transpose(FftVec<T> (&)[N]) {
  static_assert(N == 1);
}
#else
template <class T, std::size_t N>
HWY_INLINE void transpose(FftVec<T> (&v)[N]) {
  const FftTag<T> d;
  constexpr std::size_t group = 16 / sizeof(T), n_groups = N / group;  // lanes of a block; rows go in as many at a time
  static_assert(n_groups == 1 || n_groups == 2);
  FftVec<T> u[N];
  unrolled<n_groups>([&](auto g) CRINKLE_FFT_INLINE {
    constexpr std::size_t at = decltype(g)::value * group;
    if constexpr (sizeof(T) == 8) {
      u[at] = hn::InterleaveLower(d, v[at], v[at + 1]);
      u[at + 1] = hn::InterleaveUpper(d, v[at], v[at + 1]);
    } else {
      const hn::Repartition<double, FftTag<T>> wide;
      const auto low = hn::BitCast(wide, hn::InterleaveLower(d, v[at], v[at + 1]));
      const auto low2 = hn::BitCast(wide, hn::InterleaveLower(d, v[at + 2], v[at + 3]));
      const auto high = hn::BitCast(wide, hn::InterleaveUpper(d, v[at], v[at + 1]));
      const auto high2 = hn::BitCast(wide, hn::InterleaveUpper(d, v[at + 2], v[at + 3]));
      u[at] = hn::BitCast(d, hn::InterleaveLower(wide, low, low2));
      u[at + 1] = hn::BitCast(d, hn::InterleaveUpper(wide, low, low2));
      u[at + 2] = hn::BitCast(d, hn::InterleaveLower(wide, high, high2));
      u[at + 3] = hn::BitCast(d, hn::InterleaveUpper(wide, high, high2));
    }
  });
  unrolled<N>([&](auto i) CRINKLE_FFT_INLINE {
    constexpr std::size_t c = decltype(i)::value % group, block = decltype(i)::value / group;
    if constexpr (n_groups == 1) v[i] = u[c];
    else if constexpr (block == 0) v[i] = hn::ConcatLowerLower(d, u[group + c], u[c]);
    else v[i] = hn::ConcatUpperUpper(d, u[group + c], u[c]);
  });
}
#endif

// Rows of vectors, `stride` elements apart: vector l has lane l of all.
template <class T, std::size_t N>
HWY_INLINE void turned_square(const T* x, std::int64_t stride, Complex<T> (&a)[N]) {
  FftVec<T> re[N], im[N];
  unrolled<N>([&](auto i) CRINKLE_FFT_INLINE {
    const Complex<T> row = load(x + static_cast<std::int64_t>(i) * stride);
    re[i] = row.re;
    im[i] = row.im;
  });
  transpose<T, N>(re);
  transpose<T, N>(im);
  unrolled<N>([&](auto i) CRINKLE_FFT_INLINE { a[i] = {re[i], im[i]}; });
}

// The lanes of rows k … k + lanes − 1, multiplied by twiddles and transformed: a[c] has the numbers X[k … + m c].
template <class T, std::size_t N>
HWY_INLINE void across_block(const T* x, const T* twiddles, Complex<T> (&a)[N]) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  turned_square(x, vector, a);
  unrolled<N - 1>([&](auto i) CRINKLE_FFT_INLINE { a[i + 1] = a[i + 1] * load(twiddles + static_cast<std::int64_t>(i) * vector); });
  butterfly<T, N>(a);
}

template <class T>
void across(const T* HWY_RESTRICT x, std::byte* out, std::int64_t m, const T* HWY_RESTRICT twiddles, FftFactor<T> factor) {
  constexpr auto n = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::int64_t lanes = fft_lanes<T>, vector = 2 * lanes, number = 2 * sizeof(T);
  const FftTag<T> d;
  const FftVec<T> factor_re = hn::Set(d, factor.re), factor_im = hn::Set(d, factor.im);
  for (std::int64_t at = 0; at < m; at += lanes, twiddles += (lanes - 1) * vector) {
    const std::int64_t k = m < lanes ? 0 : at + lanes > m ? m - lanes : at;
    Complex<T> a[n];
    across_block<T, n>(x + k * vector, twiddles, a);
    if (m >= lanes) {
      unrolled<n>([&](auto c) CRINKLE_FFT_INLINE {
        hn::StoreInterleaved2(hn::Mul(a[c].re, factor_re), hn::Mul(a[c].im, factor_im), d,
                              reinterpret_cast<T*>(out + (k + static_cast<std::int64_t>(c) * m) * number));
      });
    } else {
      HWY_ALIGN T whole[static_cast<std::size_t>(vector)];
      for (std::size_t c = 0; c < n; ++c) {
        hn::StoreInterleaved2(hn::Mul(a[c].re, factor_re), hn::Mul(a[c].im, factor_im), d, whole);
        std::memcpy(out + static_cast<std::int64_t>(c) * m * number, whole, static_cast<std::size_t>(m * number));
      }
    }
  }
}

template <class T>
void across_rows(const T* HWY_RESTRICT x, T* HWY_RESTRICT y, std::int64_t m, const T* HWY_RESTRICT twiddles) {
  constexpr auto n = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::int64_t lanes = fft_lanes<T>, vector = 2 * lanes;
  for (std::int64_t k = 0; k < m; k += lanes, twiddles += (lanes - 1) * vector) {
    Complex<T> a[n];
    across_block<T, n>(x + k * vector, twiddles, a);
    unrolled<n>([&](auto c) CRINKLE_FFT_INLINE { store(a[c], y + (k + static_cast<std::int64_t>(c) * m) / lanes * vector); });
  }
}

// Half as many numbers of each line as there are lanes are a vector; those of all lines, turned, are real and imaginary parts in turns.
template <class T>
void load_turned(const std::byte* from, std::int64_t stride, std::int64_t n, T* HWY_RESTRICT rows, T im) {
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::size_t numbers = lanes == 1 ? 1 : lanes / 2;
  constexpr std::int64_t vector = 2 * fft_lanes<T>, bytes = 2 * static_cast<std::int64_t>(numbers * sizeof(T));
  const FftTag<T> d;
  const FftVec<T> sign = hn::Set(d, im);
  for (std::int64_t j = 0; j < n;
       j += static_cast<std::int64_t>(numbers), from += bytes, rows += static_cast<std::int64_t>(numbers) * vector) {
    if constexpr (lanes == 1) {
      const Complex<T> a = load_numbers<T>(from);
      store<T>({a.re, hn::Mul(a.im, sign)}, rows);
    } else {
      FftVec<T> parts[lanes];
      unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE {
        parts[l] = hn::LoadU(d, reinterpret_cast<const T*>(from + static_cast<std::int64_t>(l) * stride));
      });
      transpose<T, lanes>(parts);
      unrolled<numbers>([&](auto k) CRINKLE_FFT_INLINE {
        store<T>({parts[2 * k], hn::Mul(parts[2 * k + 1], sign)}, rows + static_cast<std::int64_t>(k) * vector);
      });
    }
  }
}

template <class T>
void store_turned(const T* HWY_RESTRICT rows, std::int64_t n, std::byte* to, std::int64_t stride, FftFactor<T> factor) {
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::size_t numbers = lanes == 1 ? 1 : lanes / 2;
  constexpr std::int64_t vector = 2 * fft_lanes<T>, bytes = 2 * static_cast<std::int64_t>(numbers * sizeof(T));
  const FftTag<T> d;
  const FftVec<T> re = hn::Set(d, factor.re), im = hn::Set(d, factor.im);
  for (std::int64_t j = 0; j < n;
       j += static_cast<std::int64_t>(numbers), to += bytes, rows += static_cast<std::int64_t>(numbers) * vector) {
    if constexpr (lanes == 1) {
      const Complex<T> a = load(rows);
      store_numbers<T>({hn::Mul(a.re, re), hn::Mul(a.im, im)}, to);
    } else {
      FftVec<T> parts[lanes];
      unrolled<numbers>([&](auto k) CRINKLE_FFT_INLINE {
        const Complex<T> a = load(rows + static_cast<std::int64_t>(k) * vector);
        parts[2 * k] = hn::Mul(a.re, re);
        parts[2 * k + 1] = hn::Mul(a.im, im);
      });
      transpose<T, lanes>(parts);
      unrolled<lanes>(
          [&](auto l) CRINKLE_FFT_INLINE { hn::StoreU(parts[l], d, reinterpret_cast<T*>(to + static_cast<std::int64_t>(l) * stride)); });
    }
  }
}

template <class T>
void twist(const T* HWY_RESTRICT x, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, const T* HWY_RESTRICT first,
           const T* HWY_RESTRICT steps) {
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::int64_t vector = 2 * fft_lanes<T>, bytes = vector * static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t k = 0; k < n; k += fft_lanes<T>, to += bytes) {
    for (std::int64_t q = 0; q < w; ++q, steps += vector) {
      Complex<T> a[lanes];
      turned_square(x + (k * w + q) * vector, w * vector, a);
      unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE {
        const std::int64_t column = q * fft_lanes<T> + static_cast<std::int64_t>(l);
        store_numbers(a[l] * (load(first + column * vector) * broadcast(steps + 2 * l)), to + column * stride);
      });
    }
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
