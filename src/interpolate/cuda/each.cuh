// A thread for each of n things. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"

namespace crinkle::interpolation::kernel {

inline constexpr unsigned each_threads = 256;

template <class Step>
__global__ void __launch_bounds__(each_threads) each_of(Step step, std::int64_t n, std::int64_t first_block) {
  const std::int64_t i = (first_block + blockIdx.x) * each_threads + threadIdx.x;
  if (i < n) step(i);
}

template <class Step>
void each(std::int64_t n, Step step, CUstream_st* stream, const char* what) {
  gpu::for_each_grid((n + each_threads - 1) / each_threads, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {&step, &n, &first};
    gpu::launch(reinterpret_cast<const void*>(&each_of<Step>), {n_blocks, each_threads}, arguments, stream, what);
  });
}

}  // namespace crinkle::interpolation::kernel
