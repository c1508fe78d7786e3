// The launch of sweeps that stay in shared memory: all blocks at once, since they wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
#include "cuda/runtime.hpp"
#include "stencil/cuda/resident.cuh"

namespace crinkle {

static_assert(sizeof(ResidentSweep<double>) + 64 <= 4096, "what a launch may carry");

template <class T>
void launch_resident(const ResidentSweep<T>& sweep, const std::byte* in, std::byte* out, std::byte* exchange_0, std::byte* exchange_1,
                     CUstream_st* stream) {
  constexpr const char* what = "a stencil of many steps";
  const void* const kernel = reinterpret_cast<const void*>(kernel::resident_of_points<T, resident_threads>(sweep.n_points));
  const auto bytes = static_cast<std::size_t>(sweep.shared_bytes());
  // As much as there is, whatever this sweep needs: other threads may be launching other sweeps.
  int device = 0, most_bytes = 0;
  gpu::check_status(cudaGetDevice(&device), what);
  gpu::check_status(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), what);
  gpu::check_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_bytes), what);
  for (std::int64_t k = 0, n = sweep.n_launches(); k < n; ++k, in = out) {
    ResidentSweep<T> some = sweep.launched(k, n);
    void* arguments[] = {&some, &in, &out, &exchange_0, &exchange_1};
    const gpu::Grid grid{static_cast<std::uint32_t>(some.n_blocks), resident_threads, some.shared_bytes()};
    if (some.n_blocks == 1) {
      gpu::launch(kernel, grid, arguments, stream, what);
      continue;
    }
    for (std::byte* const exchange : {exchange_0, exchange_1})  // no step's number
      gpu::check_status(cudaMemsetAsync(exchange, 0, static_cast<std::size_t>(some.exchange_bytes()), stream), what);
    gpu::check_status(cudaLaunchCooperativeKernel(kernel, grid.blocks, grid.threads, arguments, bytes, stream), what);
  }
}

template void launch_resident(const ResidentSweep<float>&, const std::byte*, std::byte*, std::byte*, std::byte*, CUstream_st*);
template void launch_resident(const ResidentSweep<double>&, const std::byte*, std::byte*, std::byte*, std::byte*, CUstream_st*);

}  // namespace crinkle
