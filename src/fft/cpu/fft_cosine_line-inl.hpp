// Cosine and sine transforms of one line, whose lanes are numbers; the last ones of a line one by one. No product and sum are fused.
// SPDX-License-Identifier: BSD-3-Clause
#if defined(CRINKLE_CPU_FFT_COSINE_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CRINKLE_CPU_FFT_COSINE_LINE_INL
#undef CRINKLE_CPU_FFT_COSINE_LINE_INL
#else
#define CRINKLE_CPU_FFT_COSINE_LINE_INL
#endif

#include "fft/cpu/cosine_kernels.hpp"
#include "fft/cpu/fft_stages-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
void order_line(const T* HWY_RESTRICT x, std::int64_t n, T* HWY_RESTRICT v, T odd) {
  constexpr std::int64_t lanes = fft_lanes<T>;
  const FftTag<T> d;
  const FftVec<T> sign = hn::Set(d, odd);
  std::int64_t j = 0;
  for (; 2 * (j + lanes) <= n; j += lanes) {
    FftVec<T> evens, odds;
    hn::LoadInterleaved2(d, x + 2 * j, evens, odds);
    hn::StoreU(evens, d, v + j);
    hn::StoreU(hn::Reverse(d, hn::Mul(odds, sign)), d, v + n - j - lanes);
  }
  for (; 2 * j < n; ++j) {
    v[j] = x[2 * j];
    if (2 * j + 1 < n) v[n - 1 - j] = odd * x[2 * j + 1];
  }
}

template <class T>
void order_line_back(const T* HWY_RESTRICT v, std::int64_t n, T* HWY_RESTRICT x, T odd) {
  constexpr std::int64_t lanes = fft_lanes<T>;
  const FftTag<T> d;
  const FftVec<T> sign = hn::Set(d, odd);
  std::int64_t j = 0;
  for (; 2 * (j + lanes) <= n; j += lanes)
    hn::StoreInterleaved2(hn::LoadU(d, v + j), hn::Mul(hn::Reverse(d, hn::LoadU(d, v + n - j - lanes)), sign), d, x + 2 * j);
  for (; 2 * j < n; ++j) {
    x[2 * j] = v[j];
    if (2 * j + 1 < n) x[2 * j + 1] = odd * v[n - 1 - j];
  }
}

// Where X[k] and X[n − k] lie.
struct CosinePlaces {
  std::int64_t at, other;
};
HWY_INLINE CosinePlaces places_of(std::int64_t k, std::int64_t n, FftKind kind) {
  return kind == FftKind::sine ? CosinePlaces{n - 1 - k, k - 1} : CosinePlaces{k, n - k};
}

// Calls body(d, k) for k = 1 … n/2, with vectors and then, where fewer are left before n/2, one by one: with vectors of one lane, since
// g++ 12 fuses products and sums of plain numbers that it makes vectors of.
template <class T, class F>
HWY_INLINE void for_each_turn(std::int64_t n, const F& body) {
  std::int64_t k = 1;
  for (; 2 * (k + fft_lanes<T> - 1) < n; k += fft_lanes<T>) body(FftTag<T>(), k);
  for (; 2 * k <= n; ++k) body(hn::CappedTag<T, 1>(), k);
}

template <class T>
void turn_line(const T* HWY_RESTRICT V, std::int64_t n, const T* HWY_RESTRICT cosines, const T* HWY_RESTRICT sines, T of_first,
               FftKind kind, T* HWY_RESTRICT X) {
  X[places_of(0, n, kind).at] = of_first * V[0];
  for_each_turn<T>(n, [&](auto d, std::int64_t k) HWY_ATTR {
    constexpr auto back = static_cast<std::int64_t>(hn::MaxLanes(d)) - 1;
    hn::Vec<decltype(d)> re, im;
    hn::LoadInterleaved2(d, V + 2 * k, re, im);
    const auto two = hn::Set(d, T{2}), c = hn::LoadU(d, cosines + k), s = hn::LoadU(d, sines + k);
    const auto x = hn::Mul(two, hn::Add(hn::Mul(re, c), hn::Mul(im, s)));
    const auto y = hn::Mul(two, hn::Sub(hn::Mul(re, s), hn::Mul(im, c)));
    const auto [at, other] = places_of(k, n, kind);
    if (kind == FftKind::sine) {
      hn::StoreU(hn::Reverse(d, x), d, X + at - back);
      if (2 * k < n) hn::StoreU(y, d, X + other);
    } else {
      hn::StoreU(x, d, X + at);
      if (2 * k < n) hn::StoreU(hn::Reverse(d, y), d, X + other - back);
    }
  });
}

template <class T>
void turn_line_back(const T* HWY_RESTRICT X, std::int64_t n, const T* HWY_RESTRICT cosines, const T* HWY_RESTRICT sines, T of_first,
                    FftKind kind, T* HWY_RESTRICT V) {
  V[0] = of_first * X[places_of(0, n, kind).at];
  V[1] = 0;
  for_each_turn<T>(n, [&](auto d, std::int64_t k) HWY_ATTR {
    constexpr auto back = static_cast<std::int64_t>(hn::MaxLanes(d)) - 1;
    const auto [at, other] = places_of(k, n, kind);
    const bool is_sine = kind == FftKind::sine;
    const auto a = is_sine ? hn::Reverse(d, hn::LoadU(d, X + at - back)) : hn::LoadU(d, X + at);
    const auto b = is_sine ? hn::LoadU(d, X + other) : hn::Reverse(d, hn::LoadU(d, X + other - back));
    const auto c = hn::LoadU(d, cosines + k), s = hn::LoadU(d, sines + k);
    hn::StoreInterleaved2(hn::Add(hn::Mul(a, c), hn::Mul(b, s)), hn::Sub(hn::Mul(a, s), hn::Mul(b, c)), d, V + 2 * k);
  });
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
