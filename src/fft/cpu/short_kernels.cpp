// The tables of the kernels of short rows, for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/cpu/short_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "fft/cpu/fft_across-inl.hpp"
#include "fft/cpu/short_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

// A square: so many neighbouring numbers of `lanes` rows.
template <class T>
constexpr std::size_t numbers_of_square = fft_lanes<T> == 1 ? 1 : static_cast<std::size_t>(fft_lanes<T>) / 2;

template <class T>
HWY_INLINE void load_square(const NumberRows<const std::byte>& from, std::size_t first, FftVec<T> sign, Complex<T>* a) {
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::size_t numbers = numbers_of_square<T>;
  const std::byte* const at = from.at + 2 * sizeof(T) * first;
  if constexpr (lanes == 1) {
    a[0] = load_numbers<T>(at);
    a[0].im = hn::Mul(a[0].im, sign);
  } else {
    FftVec<T> parts[lanes];
    unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE {
      parts[l] = hn::LoadU(FftTag<T>(), reinterpret_cast<const T*>(at + static_cast<std::int64_t>(l) * from.line));
    });
    transpose<T, lanes>(parts);
    unrolled<numbers>([&](auto k) CRINKLE_FFT_INLINE { a[k] = {parts[2 * k], hn::Mul(parts[2 * k + 1], sign)}; });
  }
}

template <class T>
HWY_INLINE void store_square(const Complex<T>* a, const NumberRows<std::byte>& to, std::size_t first, const Complex<T>& factor) {
  constexpr auto lanes = static_cast<std::size_t>(fft_lanes<T>);
  constexpr std::size_t numbers = numbers_of_square<T>;
  std::byte* const at = to.at + 2 * sizeof(T) * first;
  if constexpr (lanes == 1) {
    store_numbers<T>({hn::Mul(a[0].re, factor.re), hn::Mul(a[0].im, factor.im)}, at);
  } else {
    FftVec<T> parts[lanes];
    unrolled<numbers>([&](auto k) CRINKLE_FFT_INLINE {
      parts[2 * k] = hn::Mul(a[k].re, factor.re);
      parts[2 * k + 1] = hn::Mul(a[k].im, factor.im);
    });
    transpose<T, lanes>(parts);
    unrolled<lanes>([&](auto l) CRINKLE_FFT_INLINE {
      hn::StoreU(parts[l], FftTag<T>(), reinterpret_cast<T*>(at + static_cast<std::int64_t>(l) * to.line));
    });
  }
}

// As stage_of, so that numbers have its bits; by as many p, and q, at once as a square has numbers.
template <class T, std::size_t A, std::size_t B>
void short_rows(NumberRows<const std::byte> from, NumberRows<std::byte> to, std::int64_t n_groups, const T* HWY_RESTRICT twiddles, T im,
                FftFactor<T> factor) {
  constexpr std::size_t numbers = numbers_of_square<T>;
  const FftTag<T> d;
  const FftVec<T> sign = hn::Set(d, im);
  const Complex<T> by = {hn::Set(d, factor.re), hn::Set(d, factor.im)};
  for (std::int64_t g = 0; g < n_groups; ++g, from.at += fft_lanes<T> * from.line, to.at += fft_lanes<T> * to.line) {
    if constexpr (B == 1) {
      Complex<T> a[A];
      unrolled<A / numbers>([&](auto i) CRINKLE_FFT_INLINE { load_square<T>(from, i * numbers, sign, a + i * numbers); });
      butterfly<T, A>(a);
      unrolled<A / numbers>([&](auto i) CRINKLE_FFT_INLINE { store_square<T>(a + i * numbers, to, i * numbers, by); });
    } else {
      Complex<T> y[A * B];
      unrolled<B / numbers>([&](auto slice) CRINKLE_FFT_INLINE {
        Complex<T> x[A][numbers];
        unrolled<A>([&](auto i) CRINKLE_FFT_INLINE { load_square<T>(from, i * B + slice * numbers, sign, x[i]); });
        unrolled<numbers>([&](auto j) CRINKLE_FFT_INLINE {
          constexpr std::size_t p = decltype(slice)::value * numbers + decltype(j)::value;
          Complex<T> a[A];
          unrolled<A>([&](auto i) CRINKLE_FFT_INLINE { a[i] = x[i][j]; });
          butterfly<T, A>(a);
          unrolled<A>([&](auto k) CRINKLE_FFT_INLINE {
            if constexpr (p == 0 || decltype(k)::value == 0) y[A * p + k] = a[k];
            else y[A * p + k] = a[k] * broadcast(twiddles + 2 * ((p - 1) * (A - 1) + k - 1));
          });
        });
      });
      unrolled<A / numbers>([&](auto slice) CRINKLE_FFT_INLINE {
        Complex<T> x[B][numbers];
        unrolled<numbers>([&](auto j) CRINKLE_FFT_INLINE {
          constexpr std::size_t q = decltype(slice)::value * numbers + decltype(j)::value;
          Complex<T> a[B];
          unrolled<B>([&](auto i) CRINKLE_FFT_INLINE { a[i] = y[q + A * i]; });
          butterfly<T, B>(a);
          unrolled<B>([&](auto k) CRINKLE_FFT_INLINE { x[k][j] = a[k]; });
        });
        unrolled<B>([&](auto k) CRINKLE_FFT_INLINE { store_square<T>(x[k], to, A * k + slice * numbers, by); });
      });
    }
  }
}

template <class T>
ShortKernelsOf<T> short_kernels_of() {
  ShortKernelsOf<T> kernels{.lanes = fft_lanes<T>, .rows = {}};
  kernels.rows[4][1] = short_rows<T, 4, 1>;
  kernels.rows[8][1] = short_rows<T, 8, 1>;
  kernels.rows[4][4] = short_rows<T, 4, 4>;
  kernels.rows[4][8] = short_rows<T, 4, 8>;
  kernels.rows[8][4] = short_rows<T, 8, 4>;
  kernels.rows[8][8] = short_rows<T, 8, 8>;
  return kernels;
}

inline const ShortKernels* short_table() {
  static const ShortKernels kernels = {hwy::TargetName(HWY_TARGET), short_kernels_of<float>(), short_kernels_of<double>()};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(short_table);
const ShortKernels& ShortKernels::best() { return best_table(HWY_DISPATCH_TABLE(short_table)); }
std::vector<const ShortKernels*> ShortKernels::all() { return all_tables(HWY_DISPATCH_TABLE(short_table)); }

}  // namespace crinkle::simd
#endif
