// Here lanes meet: squares of vectors are turned, so that numbers of one line that lie in lanes come together, or columns become rows.
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

// Lane l of R vectors becomes row l of y, of as many vectors as hold R lanes.
template <class T, std::size_t R>
HWY_INLINE void store_turned_rows(const Complex<T> (&a)[R], T* y) {
  constexpr auto n = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::size_t w = (R + n - 1) / n;
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  unrolled<w>([&](auto c) CRINKLE_FFT_INLINE {
    FftVec<T> re[n], im[n];
    unrolled<n>([&](auto i) CRINKLE_FFT_INLINE {
      constexpr std::size_t k = decltype(c)::value * n + decltype(i)::value;
      re[i] = im[i] = hn::Zero(FftTag<T>());
      if constexpr (k < R) {
        re[i] = a[k].re;
        im[i] = a[k].im;
      }
    });
    transpose<T, n>(re);
    transpose<T, n>(im);
    unrolled<n>([&](auto l) CRINKLE_FFT_INLINE { store<T>({re[l], im[l]}, y + static_cast<std::int64_t>(l * w + c) * vector); });
  });
}

template <class T, std::size_t R>
void across(const std::byte* from, T* HWY_RESTRICT y, std::int64_t m, const T* HWY_RESTRICT twiddles, T im) {
  constexpr std::int64_t lanes = fft_lanes<T>, vector = 2 * lanes, number = 2 * sizeof(T), r = static_cast<std::int64_t>(R);
  constexpr std::int64_t w = (r + lanes - 1) / lanes;
  const FftTag<T> d;
  const FftVec<T> sign = hn::Set(d, im);
  for (std::int64_t at = 0; at < m; at += lanes, twiddles += (r - 1) * vector) {
    const std::int64_t p = at + lanes > m ? m - lanes : at;
    Complex<T> a[R];
    unrolled<R>([&](auto i) CRINKLE_FFT_INLINE {
      a[i] = load_numbers<T>(from + (p + static_cast<std::int64_t>(i) * m) * number);
      a[i].im = hn::Mul(a[i].im, sign);
    });
    butterfly<T, R>(a);
    const auto product = [&](auto k) CRINKLE_FFT_INLINE { return a[k + 1] * load(twiddles + static_cast<std::int64_t>(k) * vector); };
    if (at == 0) {  // no product goes into row 0
      const auto is_first = hn::FirstN(d, 1);
      unrolled<R - 1>([&](auto k) CRINKLE_FFT_INLINE {
        const Complex<T> b = product(k);
        a[k + 1] = {hn::IfThenElse(is_first, a[k + 1].re, b.re), hn::IfThenElse(is_first, a[k + 1].im, b.im)};
      });
    } else {
      unrolled<R - 1>([&](auto k) CRINKLE_FFT_INLINE { a[k + 1] = product(k); });
    }
    store_turned_rows<T, R>(a, y + p * w * vector);
  }
}

template <class T>
void turn(const T* HWY_RESTRICT x, std::int64_t n, T* HWY_RESTRICT y) {
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  const std::int64_t w = (n + fft_lanes<T> - 1) / fft_lanes<T>;
  for (std::int64_t c = 0; c < w; ++c) {
    Complex<T> a[lanes];
    turned_square(x + c * fft_lanes<T> * vector, vector, a);
    unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE { store(a[l], y + (static_cast<std::int64_t>(l) * w + c) * vector); });
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
