// Launches of the kernel of stencils: linear grids, several where one is too small. SPDX-License-Identifier: BSD-3-Clause
#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "stencil/cuda/tiles.cuh"

namespace crinkle {

static_assert(sizeof(CudaStage<double>) + 64 <= 4096, "what a launch may carry");

template <class T>
void launch_stencil(const CudaStage<T>& stage, const std::byte* in, std::byte* out, CUstream_st* stream) {
  const void* const kernel = stage.n_points <= most_cuda_points ? reinterpret_cast<const void*>(&kernel::sweep_tiles<T, true>)
                                                                : reinterpret_cast<const void*>(&kernel::sweep_tiles<T, false>);
  gpu::for_each_grid(stage.n_blocks, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaStage<T>*>(&stage), &first, &in, &out};
    gpu::launch(kernel, {n_blocks, cuda_sweep_threads, 0}, arguments, stream, "a stencil");
  });
}

template void launch_stencil(const CudaStage<float>&, const std::byte*, std::byte*, CUstream_st*);
template void launch_stencil(const CudaStage<double>&, const std::byte*, std::byte*, CUstream_st*);

}  // namespace crinkle
