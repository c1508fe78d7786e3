// CUDA's vectors and functions of a thread and of a warp, for a CPU. Part of kernel_walk.hpp. Whole warps take part in what is of a warp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <bit>
#include <cmath>

#include "support/kernel_walk.hpp"

#define CRINKLE_VECTORS(T, name)                             \
  struct name##2 { T x, y; };                                \
  struct name##4 { T x, y, z, w; };                          \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; } \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
CRINKLE_VECTORS(float, float)
CRINKLE_VECTORS(double, double)
CRINKLE_VECTORS(int, int)
CRINKLE_VECTORS(unsigned, uint)
CRINKLE_VECTORS(unsigned short, ushort)
CRINKLE_VECTORS(unsigned char, uchar)
#undef CRINKLE_VECTORS

#define CRINKLE_LOADS(name) \
  template <class T>        \
  T name(const T* from) {   \
    return *from;           \
  }
CRINKLE_LOADS(__ldg)
CRINKLE_LOADS(__ldcs)
CRINKLE_LOADS(__ldcg)
CRINKLE_LOADS(__ldca)
#undef CRINKLE_LOADS
#define CRINKLE_STORES(name)     \
  template <class T>             \
  void name(T* to, const T& x) { \
    *to = x;                     \
  }
CRINKLE_STORES(__stwb)
CRINKLE_STORES(__stcs)
CRINKLE_STORES(__stcg)
#undef CRINKLE_STORES

inline std::uint32_t __umulhi(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline int __float2int_rz(float a) { return std::isnan(a) ? 0 : static_cast<int>(a); }
inline int __float2int_rn(float a) { return static_cast<int>(std::nearbyint(a)); }
inline int __double2int_rn(double a) { return static_cast<int>(std::nearbyint(a)); }
inline unsigned __float_as_uint(float a) { return std::bit_cast<unsigned>(a); }
inline float __uint_as_float(unsigned a) { return std::bit_cast<float>(a); }
inline int __float_as_int(float a) { return std::bit_cast<int>(a); }
inline float __int_as_float(int a) { return std::bit_cast<float>(a); }
inline double __longlong_as_double(long long a) { return std::bit_cast<double>(a); }
inline int __popc(unsigned a) { return std::popcount(a); }
inline int __clz(int a) { return std::countl_zero(static_cast<unsigned>(a)); }
inline int __clzll(long long a) { return std::countl_zero(static_cast<unsigned long long>(a)); }
inline int __ffs(int a) { return a == 0 ? 0 : std::countr_zero(static_cast<unsigned>(a)) + 1; }
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (by & 31));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (by & 31) >> 32);
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned which) {
  const std::uint64_t all = std::uint64_t{high} << 32 | low;
  unsigned made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned byte = static_cast<unsigned>(all >> 8 * (which >> 4 * i & 7) & 0xFF);
    made |= ((which >> 4 * i & 8) == 0 ? byte : (byte >> 7) * 0xFF) << 8 * i;
  }
  return made;
}
inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

template <class T>
T atomicAdd(T* to, T x) {
  return std::atomic_ref<T>(*to).fetch_add(x);
}
template <class T>
T atomicMin(T* to, T x) {
  std::atomic_ref<T> at(*to);
  T old = at;
  while (x < old && !at.compare_exchange_weak(old, x)) {}
  return old;
}
template <class T>
T atomicMax(T* to, T x) {
  std::atomic_ref<T> at(*to);
  T old = at;
  while (old < x && !at.compare_exchange_weak(old, x)) {}
  return old;
}

template <class T>
T __shfl_sync(unsigned, const T& x, int lane, int width = 32) {
  const auto w = static_cast<std::uint32_t>(width);
  return crinkle::testing::walk::exchanged(x, [=](std::uint32_t own) { return own / w * w + static_cast<std::uint32_t>(lane) % w; });
}
template <class T>
T __shfl_up_sync(unsigned, const T& x, unsigned by, int width = 32) {
  const auto w = static_cast<std::uint32_t>(width);
  return crinkle::testing::walk::exchanged(x, [=](std::uint32_t own) { return own % w < by ? own : own - by; });
}
template <class T>
T __shfl_down_sync(unsigned, const T& x, unsigned by, int width = 32) {
  const auto w = static_cast<std::uint32_t>(width);
  return crinkle::testing::walk::exchanged(x, [=](std::uint32_t own) { return own % w + by >= w ? own : own + by; });
}
template <class T>
T __shfl_xor_sync(unsigned, const T& x, int mask, int = 32) {
  return crinkle::testing::walk::exchanged(x, [=](std::uint32_t own) { return own ^ static_cast<std::uint32_t>(mask); });
}
inline unsigned __ballot_sync(unsigned, bool is) {
  crinkle::testing::walk::Warp& w = crinkle::testing::walk::warp();
  w.shown[crinkle::testing::walk::number % 32][0] = is ? 1 : 0;
  w.barrier.arrive_and_wait();
  unsigned all = 0;
  for (std::uint32_t i = 0; i < w.n_threads; ++i) all |= (w.shown[i][0] != 0 ? 1U : 0U) << i;
  w.barrier.arrive_and_wait();
  return all;
}
inline bool __any_sync(unsigned mask, bool is) { return __ballot_sync(mask, is) != 0; }
inline bool __all_sync(unsigned mask, bool is) { return __ballot_sync(mask, !is) == 0; }
