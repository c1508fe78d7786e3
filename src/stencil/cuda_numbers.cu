// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda_numbers.hpp"

#include <cuda_fp16.h>

#include <limits>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"

namespace crinkle {
namespace {

struct Half {
  std::uint16_t bits;
};

// The hardware's conversions, but for NaN, whose bits are those of the CPU.
__device__ float widened(Half half) {
  if ((half.bits & 0x7FFFu) <= 0x7C00u) return __half2float(__ushort_as_half(half.bits));
  return __uint_as_float((half.bits & 0x8000u) << 16 | 0x7F800000u | (half.bits & 0x3FFu) << 13);
}
__device__ Half narrowed(float x) {
  if (x == x) return {__half_as_ushort(__float2half_rn(x))};
  return {static_cast<std::uint16_t>((__float_as_uint(x) >> 16 & 0x8000u) | 0x7E00u)};
}

template <class T, class E>
__device__ T from_element(E e) {
  return static_cast<T>(e);
}
template <class T>
__device__ T from_element(Half e) {
  return static_cast<T>(widened(e));
}

// Integers: rounded to the nearest, half to even, and saturated; NaN becomes 0.
template <class E>
struct Stored {
  template <class T>
  static __device__ E of(T x) {
    if constexpr (!std::numeric_limits<E>::is_integer) {
      return static_cast<E>(x);
    } else {
      constexpr bool is_signed = static_cast<E>(-1) < E{0};
      constexpr int bits = 8 * sizeof(E) - (is_signed ? 1 : 0);
      constexpr double end = static_cast<double>(std::uint64_t{1} << bits), least = is_signed ? -end : 0.0, most = end - 1;
      const auto wide = static_cast<double>(x);
      return wide == wide ? static_cast<E>(rint(wide < least ? least : wide > most ? most : wide)) : E{0};
    }
  }
};
template <>
struct Stored<Half> {
  template <class T>
  static __device__ Half of(T x) {
    return narrowed(static_cast<float>(x));
  }
};

template <class E>
__device__ E read(const std::byte* from, bool is_swapped) {
  if (!is_swapped && reinterpret_cast<std::uintptr_t>(from) % sizeof(E) == 0) return *reinterpret_cast<const E*>(from);
  E e;
#pragma unroll
  for (unsigned b = 0; b < sizeof(E); ++b) reinterpret_cast<std::byte*>(&e)[is_swapped ? sizeof(E) - 1 - b : b] = from[b];
  return e;
}
template <class E>
__device__ void write(std::byte* to, E e, bool is_swapped) {
  if (!is_swapped && reinterpret_cast<std::uintptr_t>(to) % sizeof(E) == 0) {
    *reinterpret_cast<E*>(to) = e;
    return;
  }
#pragma unroll
  for (unsigned b = 0; b < sizeof(E); ++b) to[b] = reinterpret_cast<const std::byte*>(&e)[is_swapped ? sizeof(E) - 1 - b : b];
}

// Calls body with an element of the type.
template <class Body>
__device__ void with_element(Number number, const Body& body) {
  switch (number) {
    case Number::float16: return body(Half{});
    case Number::float32: return body(float{});
    case Number::float64: return body(double{});
    case Number::int8: return body(std::int8_t{});
    case Number::int16: return body(std::int16_t{});
    case Number::int32: return body(std::int32_t{});
    case Number::uint8: return body(std::uint8_t{});
    case Number::uint16: return body(std::uint16_t{});
    case Number::uint32: return body(std::uint32_t{});
  }
}

__device__ std::int64_t place_of(const CudaNumbers& numbers, std::uint64_t element) {
  std::int64_t bytes = 0;
  for (int a = numbers.n_axes - 1; a > 0; --a) {
    const auto [above, i] = numbers.extents[a].divide(element);
    bytes += static_cast<std::int64_t>(i) * numbers.strides[a];
    element = above;
  }
  return bytes + static_cast<std::int64_t>(element) * numbers.strides[0];
}

__device__ std::int64_t element_of_thread(std::int64_t first_block) {
  return (first_block + blockIdx.x) * cuda_number_threads + threadIdx.x;
}

template <class T>
__global__ void __launch_bounds__(cuda_number_threads)
    load_numbers(const __grid_constant__ CudaNumbers numbers, std::int64_t first_block, const std::byte* from, T* to) {
  const std::int64_t i = element_of_thread(first_block);
  if (i >= numbers.n_elements) return;
  from += place_of(numbers, static_cast<std::uint64_t>(i));
  with_element(numbers.type.number, [&](auto e) { to[i] = from_element<T>(read<decltype(e)>(from, numbers.type.is_swapped)); });
}

template <class T>
__global__ void __launch_bounds__(cuda_number_threads)
    store_numbers(const __grid_constant__ CudaNumbers numbers, std::int64_t first_block, const T* from, std::byte* to) {
  const std::int64_t i = element_of_thread(first_block);
  if (i >= numbers.n_elements) return;
  to += place_of(numbers, static_cast<std::uint64_t>(i));
  with_element(numbers.type.number, [&](auto e) { write(to, Stored<decltype(e)>::of(from[i]), numbers.type.is_swapped); });
}

template <class T>
__global__ void __launch_bounds__(cuda_number_threads) settle_numbers(Number number, std::int64_t n, std::int64_t first_block, T* x) {
  const std::int64_t i = element_of_thread(first_block);
  if (i >= n) return;
  with_element(number, [&](auto e) { x[i] = from_element<T>(Stored<decltype(e)>::of(x[i])); });
}

template <class Launch>
void for_all(std::int64_t n_elements, const Launch& launch) {
  gpu::for_each_grid((n_elements + cuda_number_threads - 1) / cuda_number_threads, launch);
}

constexpr const char* what_runs = "a stencil";

}  // namespace

template <class T>
void launch_load_numbers(const CudaNumbers& numbers, const std::byte* from, T* to, CUstream_st* stream) {
  for_all(numbers.n_elements, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaNumbers*>(&numbers), &first, &from, &to};
    gpu::launch(reinterpret_cast<const void*>(&load_numbers<T>), {n_blocks, cuda_number_threads, 0}, arguments, stream, what_runs);
  });
}

template <class T>
void launch_store_numbers(const CudaNumbers& numbers, const T* from, std::byte* to, CUstream_st* stream) {
  for_all(numbers.n_elements, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaNumbers*>(&numbers), &first, &from, &to};
    gpu::launch(reinterpret_cast<const void*>(&store_numbers<T>), {n_blocks, cuda_number_threads, 0}, arguments, stream, what_runs);
  });
}

template <class T>
void launch_settle_numbers(T* x, std::int64_t n, Number number, CUstream_st* stream) {
  for_all(n, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {&number, &n, &first, &x};
    gpu::launch(reinterpret_cast<const void*>(&settle_numbers<T>), {n_blocks, cuda_number_threads, 0}, arguments, stream, what_runs);
  });
}

#define CRINKLE_NUMBER_LAUNCHES(T)                                                               \
  template void launch_load_numbers<T>(const CudaNumbers&, const std::byte*, T*, CUstream_st*);  \
  template void launch_store_numbers<T>(const CudaNumbers&, const T*, std::byte*, CUstream_st*); \
  template void launch_settle_numbers<T>(T*, std::int64_t, Number, CUstream_st*)
CRINKLE_NUMBER_LAUNCHES(float);
CRINKLE_NUMBER_LAUNCHES(double);

}  // namespace crinkle
