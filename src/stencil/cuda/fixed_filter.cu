// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/fixed_plan.hpp"

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "stencil/cuda/filter.cuh"

namespace crinkle {
namespace {

template <class P>
__global__ void __launch_bounds__(P::threads, P::blocks) fixed_filter(const __grid_constant__ P p, const __grid_constant__ FilterTask task,
                                                                      std::int64_t first_block, const char* in, char* out) {
  kernel::filter(p, task, first_block, in, out);
}

}  // namespace

template <class P>
void launch_fixed(const P& p, const FilterTask& task, std::int64_t n_blocks, std::int64_t shared_bytes, const std::byte* in, std::byte* out,
                  CUstream_st* stream) {
  static_assert(sizeof(P) + sizeof(FilterTask) + 64 <= 4096, "what a launch may carry");
  gpu::for_each_grid(n_blocks, [&](std::int64_t first, std::uint32_t n) {
    void* arguments[] = {const_cast<P*>(&p), const_cast<FilterTask*>(&task), &first, &in, &out};
    gpu::launch(reinterpret_cast<const void*>(&fixed_filter<P>), {n, P::threads, shared_bytes}, arguments, stream, "a stencil");
  });
}

#define CRINKLE_FIXED_FILTER(...)                                                                                                      \
  template void launch_fixed<FixedFilter<__VA_ARGS__>>(const FixedFilter<__VA_ARGS__>&, const FilterTask&, std::int64_t, std::int64_t, \
                                                       const std::byte*, std::byte*, CUstream_st*)
CRINKLE_FIXED_FILTER(float, 4);
CRINKLE_FIXED_FILTER(float, 8);
CRINKLE_FIXED_FILTER(float, 3, true);
CRINKLE_FIXED_FILTER(std::uint8_t, 4);
CRINKLE_FIXED_FILTER(std::uint8_t, 8);

}  // namespace crinkle
