// SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda/fixed_plan.hpp"

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "stencil/cuda/filter.cuh"

namespace crinkle {
namespace {

template <class P>
__global__ void __launch_bounds__(P::most_threads, P::blocks)
    fixed_filter(const __grid_constant__ P p, const __grid_constant__ FilterTask task, std::int64_t first_block, const char* in,
                 char* out) {
  kernel::filter(p, task, first_block, in, out);
}

}  // namespace

template <class P>
void launch_fixed(const P& p, const FilterTask& task, const FixedGrid& grid, const std::byte* in, std::byte* out, CUstream_st* stream) {
  static_assert(sizeof(P) + sizeof(FilterTask) + 64 <= 4096, "what a launch may carry");
  gpu::for_each_grid(grid.blocks, [&](std::int64_t first, std::uint32_t n) {
    void* arguments[] = {const_cast<P*>(&p), const_cast<FilterTask*>(&task), &first, &in, &out};
    gpu::launch(reinterpret_cast<const void*>(&fixed_filter<P>), {n, static_cast<std::uint32_t>(grid.threads), grid.shared_bytes},
                arguments, stream, "a stencil");
  });
}

#define CRINKLE_FIXED_FILTER(...)                                                                                            \
  template void launch_fixed<FixedFilter<__VA_ARGS__>>(const FixedFilter<__VA_ARGS__>&, const FilterTask&, const FixedGrid&, \
                                                       const std::byte*, std::byte*, CUstream_st*)
#define CRINKLE_FIXED_LISTS(...)                       \
  CRINKLE_FIXED_FILTER(__VA_ARGS__, FixedKind::lists); \
  CRINKLE_FIXED_FILTER(__VA_ARGS__, FixedKind::exact_lists)
#define CRINKLE_FIXED_DOWN(...)                       \
  CRINKLE_FIXED_FILTER(__VA_ARGS__, FixedKind::down); \
  CRINKLE_FIXED_FILTER(__VA_ARGS__, FixedKind::exact_down)
CRINKLE_FIXED_LISTS(float, 4);
CRINKLE_FIXED_LISTS(float, 8);
CRINKLE_FIXED_LISTS(float, 20);
CRINKLE_FIXED_DOWN(float, 4);
CRINKLE_FIXED_DOWN(float, 8);
CRINKLE_FIXED_DOWN(float, 20);
CRINKLE_FIXED_LISTS(std::uint8_t, 4);
CRINKLE_FIXED_LISTS(std::uint8_t, 8);
CRINKLE_FIXED_FILTER(float, 3, FixedKind::grid);

}  // namespace crinkle
