// DFTs of a few numbers in a thread's registers: what fft_butterflies-inl.hpp does with vectors.
//     R = 2, 4         by sums and differences
//     R odd, prime     from a_j + a_{R−j} and a_j − a_{R−j}
//     R = A·B          n = B·n₁ + n₂, k = k₁ + A·k₂: DFTs of A, constants W_R^{n₂k₁}, DFTs of B
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "fft/cuda/form.hpp"
#include "fft/fft_constants.hpp"

namespace crinkle::fft::kernel {

template <class T>
__device__ inline Number<T> operator+(const Number<T>& a, const Number<T>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
__device__ inline Number<T> operator-(const Number<T>& a, const Number<T>& b) {
  return {a.re - b.re, a.im - b.im};
}
// a·b + c, rounded once. The compiler fuses nothing of itself here (CMakeLists.txt), so that all kernels have the same bits.
__device__ inline float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
template <class T>
__device__ inline Number<T> operator*(const Number<T>& a, const Number<T>& b) {
  return {fused(a.re, b.re, -(a.im * b.im)), fused(a.re, b.im, a.im * b.re)};
}
template <class T>
__device__ inline Number<T> conj(const Number<T>& a) {
  return {a.re, -a.im};
}

// cos and sin of 2πk/r.
template <int k, int r>
struct Turn {
  static constexpr double c = simd::fft_constants::cosine(k, r), s = simd::fft_constants::sine(k, r);
};

// a · W_R^K; what takes no product is none.
template <int K, int R, class T>
__device__ inline Number<T> times_root(const Number<T>& a) {
  constexpr int k = K % R;
  if constexpr (k == 0) return a;
  else if constexpr (4 * k == R) return {a.im, -a.re};
  else if constexpr (2 * k == R) return {-a.re, -a.im};
  else if constexpr (4 * k == 3 * R) return {-a.im, a.re};
  else if constexpr (8 * k == R) {
    constexpr T h = static_cast<T>(simd::fft_constants::half_root);
    return {h * (a.re + a.im), h * (a.im - a.re)};
  } else if constexpr (8 * k == 3 * R) {
    constexpr T h = static_cast<T>(simd::fft_constants::half_root);
    return {h * (a.im - a.re), -h * (a.re + a.im)};
  } else {
    constexpr T c = static_cast<T>(Turn<k, R>::c), s = static_cast<T>(Turn<k, R>::s);
    return {fused(a.re, c, a.im * s), fused(a.im, c, -(a.re * s))};
  }
}

constexpr int smallest_factor(int n) {
  if (n % 4 == 0 && n > 4) return 4;
  for (int f = 2; f * f <= n; ++f)
    if (n % f == 0) return f;
  return n;
}
template <int R>
constexpr int smallest_factor_of = smallest_factor(R);

template <int R, class T>
__device__ inline void butterfly(Number<T>* a);

template <int R, int K, int J, class T>
__device__ inline void add_terms(const Number<T>* t, const Number<T>* d, Number<T>& even, Number<T>& odd) {
  if constexpr (J <= (R - 1) / 2) {
    constexpr T c = static_cast<T>(Turn<J * K % R, R>::c), s = static_cast<T>(Turn<J * K % R, R>::s);
    even = {fused(t[J - 1].re, c, even.re), fused(t[J - 1].im, c, even.im)};
    odd = {fused(d[J - 1].re, s, odd.re), fused(d[J - 1].im, s, odd.im)};
    add_terms<R, K, J + 1>(t, d, even, odd);
  }
}
template <int R, int K, class T>
__device__ inline void odd_results(const Number<T>& first, const Number<T>* t, const Number<T>* d, Number<T>* a) {
  if constexpr (K <= (R - 1) / 2) {
    Number<T> even = first, odd{0, 0};
    add_terms<R, K, 1>(t, d, even, odd);
    a[K] = {even.re + odd.im, even.im - odd.re};  // even − i odd
    a[R - K] = {even.re - odd.im, even.im + odd.re};
    odd_results<R, K + 1>(first, t, d, a);
  }
}

template <int R, class T>
__device__ inline void odd_butterfly(Number<T>* a) {
  constexpr int h = (R - 1) / 2;
  const Number<T> first = a[0];
  Number<T> t[h], d[h];
#pragma unroll
  for (int j = 0; j < h; ++j) {
    t[j] = a[j + 1] + a[R - 1 - j];
    d[j] = a[j + 1] - a[R - 1 - j];
    a[0] = a[0] + t[j];
  }
  odd_results<R, 1>(first, t, d, a);
}

template <int A, int B, int K1, int N2, class T>
__device__ inline void turned(const Number<T> (*column)[A], Number<T>* row) {
  if constexpr (N2 < B) {
    row[N2] = times_root<N2 * K1, A * B>(column[N2][K1]);
    turned<A, B, K1, N2 + 1>(column, row);
  }
}
template <int A, int B, int K1, class T>
__device__ inline void rows_of(const Number<T> (*column)[A], Number<T>* a) {
  if constexpr (K1 < A) {
    Number<T> row[B];
    turned<A, B, K1, 0>(column, row);
    butterfly<B>(row);
#pragma unroll
    for (int k2 = 0; k2 < B; ++k2) a[K1 + A * k2] = row[k2];
    rows_of<A, B, K1 + 1>(column, a);
  }
}

/// a[k] = Σ_n a[n] W_R^{nk}.
template <int R, class T>
__device__ inline void butterfly(Number<T>* a) {
  if constexpr (R == 2) {
    const Number<T> b = a[1];
    a[1] = a[0] - b;
    a[0] = a[0] + b;
  } else if constexpr (R == 4) {
    const Number<T> s = a[0] + a[2], u = a[0] - a[2], t = a[1] + a[3], d = a[1] - a[3];
    a[0] = s + t;
    a[1] = {u.re + d.im, u.im - d.re};
    a[2] = s - t;
    a[3] = {u.re - d.im, u.im + d.re};
  } else if constexpr (smallest_factor_of<R> == R) {
    if constexpr (R > 1) odd_butterfly<R>(a);
  } else {
    constexpr int A = smallest_factor_of<R>, B = R / A;
    Number<T> column[B][A];
#pragma unroll
    for (int n2 = 0; n2 < B; ++n2) {
#pragma unroll
      for (int n1 = 0; n1 < A; ++n1) column[n2][n1] = a[B * n1 + n2];
      butterfly<A>(column[n2]);
    }
    rows_of<A, B, 0>(column, a);
  }
}

}  // namespace crinkle::fft::kernel
