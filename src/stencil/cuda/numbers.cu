// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/numbers.hpp"

#include "base/number_element.hpp"
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"

namespace crinkle {
namespace {

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
  with_element(numbers.type.number, [&](auto e) { write(to, to_element<decltype(e)>(from[i]), numbers.type.is_swapped); });
}

template <class T>
__global__ void __launch_bounds__(cuda_number_threads) settle_numbers(Number number, std::int64_t n, std::int64_t first_block, T* x) {
  const std::int64_t i = element_of_thread(first_block);
  if (i >= n) return;
  with_element(number, [&](auto e) { x[i] = from_element<T>(to_element<decltype(e)>(x[i])); });
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
