// The tables of the kernels of real transforms of an odd length, for every instruction set.
// SPDX-License-Identifier: BSD-3-Clause
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/cpu/odd_kernels.cpp"
#include "cpu/targets-inl.hpp"

#include "fft/cpu/fft_stages-inl.hpp"
#include "fft/cpu/odd_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace crinkle::simd::HWY_NAMESPACE {

template <class T>
void part(const T* HWY_RESTRICT z, const T* HWY_RESTRICT mirrored, std::int64_t r, const T* HWY_RESTRICT twiddles, T* HWY_RESTRICT rows,
          std::int64_t row) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  for (std::int64_t c = 0; 2 * c < r; ++c, z += vector, mirrored += vector) {
    const Complex<T> a = load(z), other = load(mirrored), b = {other.re, hn::Neg(other.im)};
    const Complex<T> s = a + b;
    store(c == 0 ? s : s * load(twiddles + (2 * c - 1) * vector), rows + 2 * c * row);
    if (2 * c + 1 < r) store(times_minus_i(a - b) * load(twiddles + 2 * c * vector), rows + (2 * c + 1) * row);
  }
}

template <class T>
void join(const T* HWY_RESTRICT rows, std::int64_t row, std::int64_t r, const T* HWY_RESTRICT twiddles, T* HWY_RESTRICT z,
          T* HWY_RESTRICT mirrored) {
  constexpr std::int64_t vector = 2 * fft_lanes<T>;
  for (std::int64_t c = 0; 2 * c < r; ++c, z += vector, mirrored += vector) {
    Complex<T> p = load(rows + 2 * c * row);
    if (c > 0) p = p * load(twiddles + (2 * c - 1) * vector);
    if (2 * c + 1 == r) {
      store(p, z);
      store<T>({p.re, hn::Neg(p.im)}, mirrored);
      break;
    }
    const Complex<T> q = load(rows + (2 * c + 1) * row) * load(twiddles + 2 * c * vector);
    store<T>({hn::Sub(p.re, q.im), hn::Add(p.im, q.re)}, z);
    store<T>({hn::Add(p.re, q.im), hn::Sub(q.re, p.im)}, mirrored);
  }
}

template <class T>
void store_mirrored(const T* HWY_RESTRICT rows, std::int64_t n, std::int64_t w, std::byte* to, std::int64_t stride, FftFactor<T> factor) {
  constexpr std::int64_t lanes = fft_lanes<T>, number = 2 * sizeof(T);
  const FftTag<T> d;
  const FftVec<T> re = hn::Set(d, factor.re), im = hn::Set(d, factor.im);
  for (std::int64_t j = 0; j < n; ++j, to += stride) {
    for (std::int64_t q = 0; q < w; ++q, rows += 2 * lanes) {
      const Complex<T> a = load(rows);
      store_numbers<T>({hn::Reverse(d, hn::Mul(a.re, re)), hn::Reverse(d, hn::Mul(a.im, im))}, to - ((q + 1) * lanes - 1) * number);
    }
  }
}

template <class T>
void load_mirrored(const std::byte* from, std::int64_t stride, std::int64_t n, std::int64_t w, T* HWY_RESTRICT rows, FftFactor<T> factor) {
  constexpr std::int64_t lanes = fft_lanes<T>, number = 2 * sizeof(T);
  const FftTag<T> d;
  const FftVec<T> re = hn::Set(d, factor.re), im = hn::Set(d, factor.im);
  for (std::int64_t j = 0; j < n; ++j, from += stride) {
    for (std::int64_t q = 0; q < w; ++q, rows += 2 * lanes) {
      const Complex<T> a = load_numbers<T>(from - ((q + 1) * lanes - 1) * number);
      store<T>({hn::Mul(hn::Reverse(d, a.re), re), hn::Mul(hn::Reverse(d, a.im), im)}, rows);
    }
  }
}

template <class T>
OddKernelsOf<T> odd_kernels_of() {
  return {fft_lanes<T>, part<T>, join<T>, store_mirrored<T>, load_mirrored<T>};
}

inline const OddKernels* odd_table() {
  static const OddKernels kernels = {hwy::TargetName(HWY_TARGET), odd_kernels_of<float>(), odd_kernels_of<double>()};
  return &kernels;
}

}  // namespace crinkle::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crinkle::simd {

HWY_EXPORT(odd_table);
const OddKernels& OddKernels::best() { return best_table(HWY_DISPATCH_TABLE(odd_table)); }
std::vector<const OddKernels*> OddKernels::all() { return all_tables(HWY_DISPATCH_TABLE(odd_table)); }

}  // namespace crinkle::simd
#endif
