// Cosine and sine transforms, lanes apart: short ones whole in registers, the ends of longer ones between memory and rows of vectors.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_FFT_COSINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_FFT_COSINE_INL
#undef CRINKLE_CPU_FFT_COSINE_INL
#else
#define CRINKLE_CPU_FFT_COSINE_INL
#endif

#include <cstring>

#include "fft/cpu/cosine_kernels.hpp"
#include "fft/cpu/fft_across-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// x[e] = number e of `lanes` lines, e < N, a multiple of lanes where the lines are rows; and back.
template <class T, std::size_t N>
HWY_INLINE void load_lines(const std::byte* from, const RealLines& at, FftVec<T> (&x)[N]) {
  const FftTag<T> d;
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  if (at.line == static_cast<std::int64_t>(sizeof(T))) {
    unrolled<N>([&](auto e) CRINKLE_FFT_INLINE {
      x[e] = hn::LoadU(d, reinterpret_cast<const T*>(from + static_cast<std::int64_t>(e) * at.number));
    });
    return;
  }
  unrolled<N / lanes>([&](auto c) CRINKLE_FFT_INLINE {
    FftVec<T> square[lanes];
    unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE {
      square[l] = hn::LoadU(d, reinterpret_cast<const T*>(from + static_cast<std::int64_t>(l) * at.line) + c * lanes);
    });
    transpose<T, lanes>(square);
    unrolled<lanes>([&](auto i) CRINKLE_FFT_INLINE { x[c * lanes + i] = square[i]; });
  });
}
template <class T, std::size_t N>
HWY_INLINE void store_lines(const FftVec<T> (&x)[N], std::byte* to, const RealLines& at) {
  const FftTag<T> d;
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  if (at.line == static_cast<std::int64_t>(sizeof(T))) {
    unrolled<N>([&](auto e)
                    CRINKLE_FFT_INLINE { hn::StoreU(x[e], d, reinterpret_cast<T*>(to + static_cast<std::int64_t>(e) * at.number)); });
    return;
  }
  unrolled<N / lanes>([&](auto c) CRINKLE_FFT_INLINE {
    FftVec<T> square[lanes];
    unrolled<lanes>([&](auto i) CRINKLE_FFT_INLINE { square[i] = x[c * lanes + i]; });
    transpose<T, lanes>(square);
    unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE {
      hn::StoreU(square[l], d, reinterpret_cast<T*>(to + static_cast<std::int64_t>(l) * at.line) + c * lanes);
    });
  });
}

// Where number e of a line lies in v.
constexpr std::size_t ordered(std::size_t e, std::size_t n) { return e % 2 == 0 ? e / 2 : n - 1 - e / 2; }

// a · (re + i im), constants.
template <class T>
HWY_INLINE Complex<T> times_constant(const Complex<T>& a, double re, double im) {
  const FftVec<T> c = constant<T>(re), s = constant<T>(im);
  return {hn::NegMulAdd(a.im, s, hn::Mul(a.re, c)), hn::MulAdd(a.re, s, hn::Mul(a.im, c))};
}

// a[k] = s + u d, a[h − k] = conj(s − u d), as fold_rows.
template <class T, std::size_t N, std::size_t K>
HWY_INLINE void fold(Complex<T>* a) {
  constexpr std::size_t h = N / 2;
  const Complex<T> x = a[K], y = {a[h - K].re, hn::Neg(a[h - K].im)};
  const Complex<T> s = x + y, p = times_constant(x - y, -fft_constants::sine(K, N), -fft_constants::cosine(K, N));
  const Complex<T> other = s - p;
  a[h - K] = {other.re, hn::Neg(other.im)};
  a[K] = s + p;
}

template <class T, std::size_t N>
HWY_INLINE void cosines_of(FftVec<T> (&x)[N], CosineFactors<T> factors) {
  constexpr std::size_t h = N / 2;
  const FftVec<T> factor = hn::Set(FftTag<T>(), factors.factor);
  Complex<T> a[h];
  unrolled<N>([&](auto e) CRINKLE_FFT_INLINE {
    constexpr std::size_t t = ordered(decltype(e)::value, N);
    if constexpr (t % 2 == 0) a[t / 2].re = x[e];
    else a[t / 2].im = x[e];
  });
  butterfly<T, h>(a);
  x[0] = hn::Mul(hn::Mul(hn::Add(a[0].re, a[0].im), hn::Set(FftTag<T>(), factors.of_first)), factor);
  x[h] = hn::Mul(hn::Mul(hn::Sub(a[0].re, a[0].im), constant<T>(2 * fft_constants::half_root)), factor);
  unrolled<h / 2>([&](auto k) CRINKLE_FFT_INLINE { fold<T, N, decltype(k)::value + 1>(a); });
  unrolled<h - 1>([&](auto i) CRINKLE_FFT_INLINE {
    constexpr std::size_t k = decltype(i)::value + 1;
    const Complex<T> turned = times_constant(a[k], fft_constants::cosine(k, 4 * N), -fft_constants::sine(k, 4 * N));
    x[k] = hn::Mul(turned.re, factor);
    x[N - k] = hn::Mul(hn::Neg(turned.im), factor);
  });
}

template <class T, std::size_t N>
HWY_INLINE void inverse_cosines_of(FftVec<T> (&x)[N], CosineFactors<T> factors) {
  constexpr std::size_t h = N / 2;
  const FftVec<T> factor = hn::Set(FftTag<T>(), factors.factor), minus = hn::Neg(factor);
  Complex<T> a[h];
  const FftVec<T> first = hn::Mul(x[0], hn::Set(FftTag<T>(), factors.of_first));
  const FftVec<T> middle = hn::Mul(x[h], constant<T>(2 * fft_constants::half_root));
  a[0] = {hn::Add(first, middle), hn::Sub(middle, first)};
  unrolled<h - 1>([&](auto i) CRINKLE_FFT_INLINE {  // conj V
    constexpr std::size_t k = decltype(i)::value + 1;
    a[k] = times_constant<T>({x[k], x[N - k]}, fft_constants::cosine(k, 4 * N), -fft_constants::sine(k, 4 * N));
  });
  unrolled<h / 2>([&](auto k) CRINKLE_FFT_INLINE { fold<T, N, decltype(k)::value + 1>(a); });
  butterfly<T, h>(a);
  unrolled<N>([&](auto e) CRINKLE_FFT_INLINE {
    constexpr std::size_t t = ordered(decltype(e)::value, N);
    if constexpr (t % 2 == 0) x[e] = hn::Mul(a[t / 2].re, factor);
    else x[e] = hn::Mul(a[t / 2].im, minus);
  });
}

// A sine transform is a cosine one of (−1)^e x[e], X in the opposite order.
template <class T, std::size_t N>
HWY_INLINE void change_signs(FftVec<T> (&x)[N]) {
  unrolled<N / 2>([&](auto i) CRINKLE_FFT_INLINE { x[2 * i + 1] = hn::Neg(x[2 * i + 1]); });
}
template <class T, std::size_t N>
HWY_INLINE void reverse(FftVec<T> (&x)[N]) {
  unrolled<N / 2>([&](auto i) CRINKLE_FFT_INLINE {
    const FftVec<T> other = x[N - 1 - i];
    x[N - 1 - i] = x[i];
    x[i] = other;
  });
}

template <class T, std::size_t N, FftKind kind, FftDirection direction>
void whole_lines(const std::byte* in, std::byte* out, const typename CosineKernelsOf<T>::Blocks& blocks, CosineFactors<T> factors) {
  for (std::int64_t block = 0; block < blocks.n_blocks; ++block, in += blocks.in_block, out += blocks.out_block) {
    FftVec<T> x[N];
    load_lines<T, N>(in, blocks.in, x);
    if constexpr (direction == FftDirection::forward) {
      if constexpr (kind == FftKind::sine) change_signs<T, N>(x);
      cosines_of<T, N>(x, factors);
      if constexpr (kind == FftKind::sine) reverse<T, N>(x);
    } else {
      if constexpr (kind == FftKind::sine) reverse<T, N>(x);
      inverse_cosines_of<T, N>(x, factors);
      if constexpr (kind == FftKind::sine) change_signs<T, N>(x);
    }
    store_lines<T, N>(x, out, blocks.out);
  }
}

// body(e, vector) of all numbers of lines that are rows, and what it returns goes there; by squares, the last numbers lane by lane.
template <class T, class F>
HWY_INLINE void for_each_loaded(const std::byte* from, std::int64_t stride, std::int64_t n, const F& body) {
  const FftTag<T> d;
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  std::int64_t e = 0;
  for (; e + fft_lanes<T> <= n; e += fft_lanes<T>) {
    FftVec<T> square[lanes];
    unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE {
      square[l] = hn::LoadU(d, reinterpret_cast<const T*>(from + static_cast<std::int64_t>(l) * stride) + e);
    });
    transpose<T, lanes>(square);
    unrolled<lanes>([&](auto i) CRINKLE_FFT_INLINE { body(e + static_cast<std::int64_t>(i), square[i]); });
  }
  for (; e < n; ++e) {
    HWY_ALIGN T number[lanes];
    for (std::size_t l = 0; l < lanes; ++l)
      std::memcpy(number + l, from + static_cast<std::int64_t>(l) * stride + e * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    body(e, hn::Load(d, number));
  }
}
template <class T, class F>
HWY_INLINE void for_each_stored(std::byte* to, std::int64_t stride, std::int64_t n, const F& body) {
  const FftTag<T> d;
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  std::int64_t e = 0;
  for (; e + fft_lanes<T> <= n; e += fft_lanes<T>) {
    FftVec<T> square[lanes];
    unrolled<lanes>([&](auto i) CRINKLE_FFT_INLINE { square[i] = body(e + static_cast<std::int64_t>(i)); });
    transpose<T, lanes>(square);
    unrolled<lanes>(
        [&](auto l) CRINKLE_FFT_INLINE { hn::StoreU(square[l], d, reinterpret_cast<T*>(to + static_cast<std::int64_t>(l) * stride) + e); });
  }
  for (; e < n; ++e) {
    HWY_ALIGN T number[lanes];
    hn::Store(body(e), d, number);
    for (std::size_t l = 0; l < lanes; ++l)
      std::memcpy(to + static_cast<std::int64_t>(l) * stride + e * static_cast<std::int64_t>(sizeof(T)), number + l, sizeof(T));
  }
}

template <class T>
HWY_INLINE std::int64_t ordered_place(std::int64_t e, std::int64_t n, std::int64_t w) {
  const std::int64_t t = e % 2 == 0 ? e / 2 : n - 1 - e / 2;
  return t / 2 * w * 2 * fft_lanes<T> + t % 2 * fft_lanes<T>;
}

template <class T>
void load_ordered(const std::byte* from, RealLines at, std::int64_t n, std::int64_t w, T* HWY_RESTRICT rows, T odd) {
  const FftTag<T> d;
  const FftVec<T> one = hn::Set(d, T{1}), sign = hn::Set(d, odd);
  const auto put = [&](std::int64_t e, FftVec<T> x)
                       HWY_ATTR { hn::StoreU(hn::Mul(x, e % 2 == 0 ? one : sign), d, rows + ordered_place<T>(e, n, w)); };
  if (at.line != static_cast<std::int64_t>(sizeof(T))) return for_each_loaded<T>(from, at.line, n, put);
  for (std::int64_t e = 0; e < n; ++e) {
    const T* const x = reinterpret_cast<const T*>(from + e * at.number);
    T* const to = rows + ordered_place<T>(e, n, w);
    for (std::int64_t q = 0; q < w; ++q)
      hn::StoreU(hn::Mul(hn::LoadU(d, x + q * fft_lanes<T>), e % 2 == 0 ? one : sign), d, to + q * 2 * fft_lanes<T>);
  }
}

template <class T>
void store_ordered(const T* HWY_RESTRICT rows, std::int64_t n, std::int64_t w, std::byte* to, RealLines at, T re, T im, T odd) {
  const FftTag<T> d;
  const auto factor = [&](std::int64_t e) HWY_ATTR {
    const std::int64_t t = e % 2 == 0 ? e / 2 : n - 1 - e / 2;
    return hn::Set(d, (t % 2 == 0 ? re : im) * (e % 2 == 0 ? T{1} : odd));
  };
  const auto get = [&](std::int64_t e) HWY_ATTR { return hn::Mul(hn::LoadU(d, rows + ordered_place<T>(e, n, w)), factor(e)); };
  if (at.line != static_cast<std::int64_t>(sizeof(T))) return for_each_stored<T>(to, at.line, n, get);
  for (std::int64_t e = 0; e < n; ++e) {
    const T* const x = rows + ordered_place<T>(e, n, w);
    T* const y = reinterpret_cast<T*>(to + e * at.number);
    const FftVec<T> f = factor(e);
    for (std::int64_t q = 0; q < w; ++q) hn::StoreU(hn::Mul(hn::LoadU(d, x + q * 2 * fft_lanes<T>), f), d, y + q * fft_lanes<T>);
  }
}

template <class T>
void load_plain(const std::byte* from, std::int64_t stride, std::int64_t n, T* HWY_RESTRICT y) {
  for_each_loaded<T>(from, stride, n, [&](std::int64_t e, FftVec<T> x) HWY_ATTR { hn::StoreU(x, FftTag<T>(), y + e * fft_lanes<T>); });
}
template <class T>
void store_plain(const T* HWY_RESTRICT y, std::int64_t n, std::byte* to, std::int64_t stride) {
  for_each_stored<T>(to, stride, n, [&](std::int64_t e) HWY_ATTR { return hn::LoadU(FftTag<T>(), y + e * fft_lanes<T>); });
}

// No product and sum are fused here or in turn_back, so that plain C++ has the same bits.
template <class T>
void turn_cosines(const T* HWY_RESTRICT rows, std::int64_t n, std::int64_t w, const T* HWY_RESTRICT turns, CosineFactors<T> factors,
                  std::byte* to, std::int64_t stride) {
  const FftTag<T> d;
  const FftVec<T> f = hn::Set(d, factors.factor), first = hn::Set(d, factors.of_first), two = hn::Set(d, T{2});
  for (std::int64_t k = 0; k <= n / 2; ++k) {
    const FftVec<T> c = hn::Set(d, turns[2 * k]), s = hn::Set(d, turns[2 * k + 1]);
    T* const at = reinterpret_cast<T*>(to + k * stride);
    T* const other = reinterpret_cast<T*>(to + (k == 0 ? 0 : n - k) * stride);
    for (std::int64_t q = 0; q < w; ++q, rows += 2 * fft_lanes<T>) {
      const Complex<T> x = load(rows);
      const FftVec<T> re = hn::Mul(x.re, f), im = hn::Mul(x.im, f);
      if (k > 0) hn::StoreU(hn::Mul(two, hn::Sub(hn::Mul(re, s), hn::Mul(im, c))), d, other + q * fft_lanes<T>);
      hn::StoreU(k == 0 ? hn::Mul(first, re) : hn::Mul(two, hn::Add(hn::Mul(re, c), hn::Mul(im, s))), d, at + q * fft_lanes<T>);
    }
  }
}

template <class T>
void turn_cosines_back(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t w, const T* HWY_RESTRICT turns, T of_first,
                       T* HWY_RESTRICT rows) {
  const FftTag<T> d;
  const FftVec<T> first = hn::Set(d, of_first), zero = hn::Zero(d);
  for (std::int64_t k = 0; k <= n / 2; ++k) {
    const FftVec<T> c = hn::Set(d, turns[2 * k]), s = hn::Set(d, turns[2 * k + 1]);
    const T* const at = reinterpret_cast<const T*>(from + k * stride);
    const T* const other = reinterpret_cast<const T*>(from + (k == 0 ? 0 : n - k) * stride);
    for (std::int64_t q = 0; q < w; ++q, rows += 2 * fft_lanes<T>) {
      const FftVec<T> a = hn::LoadU(d, at + q * fft_lanes<T>), b = hn::LoadU(d, other + q * fft_lanes<T>);
      if (k == 0) store<T>({hn::Mul(first, a), zero}, rows);
      else store<T>({hn::Add(hn::Mul(a, c), hn::Mul(b, s)), hn::Sub(hn::Mul(b, c), hn::Mul(a, s))}, rows);
    }
  }
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
