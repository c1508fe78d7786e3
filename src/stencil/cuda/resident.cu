// The launch of sweeps that stay in shared memory: all blocks at once, since they wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/runtime.hpp"
#include "stencil/cuda/resident.cuh"

namespace crinkle {

static_assert(sizeof(ResidentSweep<double>) + 64 <= 4096, "what a launch may carry");

template <class T>
void launch_resident(const ResidentSweep<T>& sweep, const std::byte* in, std::byte* out, std::byte* exchange_0, std::byte* exchange_1,
                     std::byte* counts, CUstream_st* stream) {
  constexpr const char* what = "a stencil of many steps";
  const void* const kernel = reinterpret_cast<const void*>(&kernel::resident<T>);
  const auto bytes = sweep.shared_bytes();
  gpu::check_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), what);
  void* arguments[] = {const_cast<ResidentSweep<T>*>(&sweep), &in, &out, &exchange_0, &exchange_1, &counts};
  const gpu::Grid grid{static_cast<std::uint32_t>(sweep.n_blocks), resident_threads, bytes};
  if (sweep.n_blocks == 1) return gpu::launch(kernel, grid, arguments, stream, what);
  gpu::check_status(cudaMemsetAsync(counts, 0, static_cast<std::size_t>(sweep.counts_bytes()), stream), what);
  gpu::check_status(cudaLaunchCooperativeKernel(kernel, grid.blocks, grid.threads, arguments, static_cast<std::size_t>(bytes), stream),
                    what);
}

template void launch_resident(const ResidentSweep<float>&, const std::byte*, std::byte*, std::byte*, std::byte*, std::byte*, CUstream_st*);
template void launch_resident(const ResidentSweep<double>&, const std::byte*, std::byte*, std::byte*, std::byte*, std::byte*, CUstream_st*);

}  // namespace crinkle
