// DFTs of a few numbers in a thread's registers.
//     R = 2, 4         by sums and differences
//     R = 3, 5         from a_j + a_{R−j} and a_j − a_{R−j}, with as few products as there are
//     R odd, prime     from those by all cosines and sines
//     R = A·B          of factors without a common one n = B·n₁ + A·n₂, k = k₁ mod A and k₂ mod B: DFTs of A, DFTs of B (Good);
//                      else n = B·n₁ + n₂, k = k₁ + A·k₂: DFTs of A, constants W_R^{n₂k₁}, DFTs of B
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
__host__ __device__ constexpr bool has_no_common_factor(int a, int b) { return b == 0 ? a == 1 : has_no_common_factor(b, a % b); }
/// i < m with a·i = 1 mod m.
__host__ __device__ constexpr int inverse(int a, int m) {
  int i = 1;
  while (a * i % m != 1) ++i;
  return i;
}

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

// X_k and X_{R−k} = even ∓ i s·odd.
template <class T>
__device__ inline void put_pair(const Number<T>& even, const Number<T>& odd, T s, Number<T>* x, Number<T>* other) {
  *x = {fused(odd.im, s, even.re), fused(odd.re, -s, even.im)};
  *other = {fused(odd.im, -s, even.re), fused(odd.re, s, even.im)};
}
template <class T>
__device__ inline Number<T> fused(const Number<T>& a, T by, const Number<T>& b) {
  return {fused(a.re, by, b.re), fused(a.im, by, b.im)};
}
template <class T>
__device__ inline void butterfly_of_3(Number<T>* a) {
  const Number<T> t = a[1] + a[2], d = a[1] - a[2], even = fused(t, T{-0.5}, a[0]);
  a[0] = a[0] + t;
  put_pair(even, d, static_cast<T>(Turn<1, 3>::s), a + 1, a + 2);
}
template <class T>
__device__ inline void butterfly_of_5(Number<T>* a) {
  constexpr T half = static_cast<T>((Turn<1, 5>::c - Turn<2, 5>::c) / 2), s = static_cast<T>(Turn<1, 5>::s);
  constexpr T ratio = static_cast<T>(Turn<2, 5>::s / Turn<1, 5>::s);
  const Number<T> t1 = a[1] + a[4], d1 = a[1] - a[4], t2 = a[2] + a[3], d2 = a[2] - a[3];
  const Number<T> sum = t1 + t2, rest = t1 - t2, mean = fused(sum, T{-0.25}, a[0]);
  a[0] = a[0] + sum;
  put_pair(fused(rest, half, mean), fused(d2, ratio, d1), s, a + 1, a + 4);
  put_pair(fused(rest, -half, mean), fused(d1, ratio, Number<T>{-d2.re, -d2.im}), s, a + 2, a + 3);
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
  } else if constexpr (R == 3) {
    butterfly_of_3(a);
  } else if constexpr (R == 5) {
    butterfly_of_5(a);
  } else if constexpr (smallest_factor_of<R> == R) {
    if constexpr (R > 1) odd_butterfly<R>(a);
  } else if constexpr (has_no_common_factor(smallest_factor_of<R>, R / smallest_factor_of<R>)) {
    constexpr int A = smallest_factor_of<R>, B = R / A;
    Number<T> row[A][B];
#pragma unroll
    for (int n2 = 0; n2 < B; ++n2) {
      Number<T> column[A];
#pragma unroll
      for (int n1 = 0; n1 < A; ++n1) column[n1] = a[(B * n1 + A * n2) % R];
      butterfly<A>(column);
#pragma unroll
      for (int k1 = 0; k1 < A; ++k1) row[k1][n2] = column[k1];
    }
#pragma unroll
    for (int k1 = 0; k1 < A; ++k1) {
      butterfly<B>(row[k1]);
#pragma unroll
      for (int k2 = 0; k2 < B; ++k2) a[(k1 * B * inverse(B, A) + k2 * A * inverse(A, B)) % R] = row[k1][k2];
    }
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
