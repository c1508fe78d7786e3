// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/growing.cuh"

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::resampling {
namespace {

template <class E>
__global__ void __launch_bounds__(cuda_growing_threads)
    growing_sums(const __grid_constant__ GrowingPass pass, std::int64_t first_block, const char* in, char* out) {
  kernel::growing_sums<E>(pass, first_block, in, out);
}
template <class E>
__global__ void __launch_bounds__(cuda_growing_threads)
    growing_mode(const __grid_constant__ GrowingPass pass, std::int64_t first_block, const char* in, char* out) {
  kernel::growing_mode<E>(pass, first_block, in, out);
}

void launch(const void* kernel, std::int64_t elements_of_block, const GrowingPass& pass, const std::byte* in, std::byte* out,
            CUstream_st* stream) {
  gpu::for_each_grid((pass.n_elements + elements_of_block - 1) / elements_of_block, [&](std::int64_t first, std::uint32_t n) {
    void* arguments[] = {const_cast<GrowingPass*>(&pass), &first, &in, &out};
    gpu::launch(kernel, {n, cuda_growing_threads, 0}, arguments, stream, "resampling");
  });
}

}  // namespace

template <class E>
void launch_sums(const GrowingPass& pass, const std::byte* in, std::byte* out, CUstream_st* stream) {
  launch(reinterpret_cast<const void*>(&growing_sums<E>), cuda_growing_threads, pass, in, out, stream);
}
template <class E>
void launch_mode(const GrowingPass& pass, const std::byte* in, std::byte* out, CUstream_st* stream) {
  launch(reinterpret_cast<const void*>(&growing_mode<E>), cuda_growing_threads / 32, pass, in, out, stream);
}

#define CRINKLE_GROWING_LAUNCHES(E)                                                             \
  template void launch_sums<E>(const GrowingPass&, const std::byte*, std::byte*, CUstream_st*); \
  template void launch_mode<E>(const GrowingPass&, const std::byte*, std::byte*, CUstream_st*)
CRINKLE_GROWING_LAUNCHES(std::uint8_t);
CRINKLE_GROWING_LAUNCHES(std::uint16_t);
CRINKLE_GROWING_LAUNCHES(std::int16_t);
CRINKLE_GROWING_LAUNCHES(float);
CRINKLE_GROWING_LAUNCHES(double);

}  // namespace crinkle::resampling
