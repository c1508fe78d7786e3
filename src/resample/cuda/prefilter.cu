// SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/prefilter.cuh"

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::resampling {
namespace {

template <class E>
__global__ void __launch_bounds__(prefilter_segment)
    prefilter_lines(const __grid_constant__ PrefilterPass pass, std::int64_t first_block, const char* in, char* out) {
  kernel::prefilter_lines<E>(pass, first_block, in, out);
}

}  // namespace

template <class E>
void launch_prefilter(const PrefilterPass& pass, const std::byte* in, std::byte* out, CUstream_st* stream) {
  gpu::for_each_grid((pass.n_lines - 1) / prefilter_segment + 1, [&](std::int64_t first, std::uint32_t n) {
    void* arguments[] = {const_cast<PrefilterPass*>(&pass), &first, &in, &out};
    gpu::launch(reinterpret_cast<const void*>(&prefilter_lines<E>), {n, prefilter_segment, prefilter_shared_bytes}, arguments, stream,
                "the prefilter of a spline");
  });
}

template void launch_prefilter<std::uint8_t>(const PrefilterPass&, const std::byte*, std::byte*, CUstream_st*);
template void launch_prefilter<std::uint16_t>(const PrefilterPass&, const std::byte*, std::byte*, CUstream_st*);
template void launch_prefilter<std::int16_t>(const PrefilterPass&, const std::byte*, std::byte*, CUstream_st*);
template void launch_prefilter<float>(const PrefilterPass&, const std::byte*, std::byte*, CUstream_st*);
template void launch_prefilter<double>(const PrefilterPass&, const std::byte*, std::byte*, CUstream_st*);

}  // namespace crinkle::resampling
