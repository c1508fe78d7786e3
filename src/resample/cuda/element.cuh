// Elements of a result as kernels write them: numbers become elements as the CPU stores them, several neighbours at once where they are
// aligned. For nvcc, NVRTC and, in tests, a CPU. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "resample/places.hpp"

namespace crinkle::resampling::kernel {

extern __shared__ __align__(16) char shared[];  // of a block, as many bytes as the launch says

/// What sums of elements of type E are made in.
template <class E>
struct NumberOf {
  using Type = float;
};
template <>
struct NumberOf<double> {
  using Type = double;
};

/// Rounded to the nearest, half to even, and saturated; NaN becomes 0.
template <class E, class T>
__device__ inline E stored(T x) {
  if constexpr (static_cast<E>(0.5) == E{0}) {
    constexpr bool is_signed = static_cast<E>(-1) < E{0};
    constexpr int bits = 8 * static_cast<int>(sizeof(E)) - (is_signed ? 1 : 0);
    constexpr T least = is_signed ? -static_cast<T>(1 << bits) : T{0}, most = static_cast<T>((1 << bits) - 1);
    if (x != x) return E{0};
    return static_cast<E>(rint(x < least ? least : x > most ? most : x));
  } else {
    return static_cast<E>(x);
  }
}

template <class E>
__device__ inline E loaded(const char* at) {
  return __ldg(reinterpret_cast<const E*>(at));
}

/// Taps of one index of the result along an axis: elements, or faces.
template <int n, class T>
struct alignas(n == 1 && sizeof(T) == 4 ? 8 : 16) Place {  // for wide loads
  std::int32_t index[static_cast<std::size_t>(n)];
  T weight[static_cast<std::size_t>(n)];

  __device__ bool is_beside() const {  // none of them is inside
    for (int k = 0; k < n; ++k)
      if (index[k] >= 0) return false;
    return true;
  }
};

template <class T>
__device__ inline T face_of(const FormAxis& axis, std::int64_t face) {
  return static_cast<T>(face == detail::at_low_face ? axis.low_value : axis.high_value);
}

/// n neighbours, and the largest power of two that divides their bytes, 16 at most: by so many they are stored.
template <class E, int n>
struct Run {
  E of[static_cast<std::size_t>(n)];
};
template <class E, int n>
inline constexpr int unit_of_run = [] {
  int unit = 16;
  while (n * static_cast<int>(sizeof(E)) % unit != 0) unit /= 2;
  return unit;
}();
template <class E, int n>
__device__ inline void store_run(char* to, const Run<E, n>& run) {
  constexpr int unit = unit_of_run<E, n>, n_unit = unit / static_cast<int>(sizeof(E));
  struct alignas(unit) Unit {
    E of[static_cast<std::size_t>(n_unit)];
  };
  CRINKLE_UNROLL for (int i = 0; i < n; i += n_unit) {
    Unit one;
    CRINKLE_UNROLL for (int k = 0; k < n_unit; ++k) one.of[k] = run.of[i + k];
    *reinterpret_cast<Unit*>(to + i * static_cast<int>(sizeof(E))) = one;
  }
}

/// The sum of products in the definition's order; what has weight 0 does not count.
template <int n, class T, class Of>
__device__ inline T weighted(const T* weight, const Of& of) {
  T sum_of = counted(weight[0], of(0));
  CRINKLE_UNROLL for (int k = 1; k < n; ++k) sum_of = sum(sum_of, counted(weight[k], of(k)));
  return sum_of;
}

}  // namespace crinkle::resampling::kernel
