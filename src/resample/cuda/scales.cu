// Zooms by kernels that learn their plan when they are launched. SPDX-License-Identifier: BSD-3-Clause
#include "resample/cuda/scales.cuh"

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "resample/cuda/launch_ways.hpp"

namespace crinkle::resampling {
namespace {

template <class P>
__global__ void __launch_bounds__(most_scales_threads)
    run_scales(const __grid_constant__ P plan, std::int64_t first_block, const char* in, char* out, bool is_wide) {
  kernel::resample_scales(plan, first_block, in, out, is_wide);
}

template <class E, int n_taps, int n_in>
void launch(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream) {
  using P = ScalesPlan<E, E, n_taps, n_in>;
  P plan{shape.scales, form};
  bool is_wide = is_at_unit(shape, out);
  gpu::for_each_grid(shape.n_blocks, [&](std::int64_t first, std::uint32_t n) {
    void* arguments[] = {&plan, &first, &in, &out, &is_wide};
    gpu::launch(reinterpret_cast<const void*>(&run_scales<P>), {n, static_cast<std::uint32_t>(shape.threads), shape.shared_bytes},
                arguments, stream, "resampling");
  });
}

template <class E, int n_taps>
void launch_of_rank(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream) {
  if (form.map.n_in == 1) return launch<E, n_taps, 1>(shape, form, in, out, stream);
  if (form.map.n_in == 2) return launch<E, n_taps, 2>(shape, form, in, out, stream);
  launch<E, n_taps, 3>(shape, form, in, out, stream);
}

}  // namespace

template <class E>
void launch_scales(const CudaShape& shape, const Form& form, const std::byte* in, std::byte* out, CUstream_st* stream) {
  static_assert(sizeof(ScalesPlan<E, E, 4, 3>) + 64 <= 4096, "what a launch may carry");
  if (form.n_taps == 1) return launch_of_rank<E, 1>(shape, form, in, out, stream);
  if (form.n_taps == 2) return launch_of_rank<E, 2>(shape, form, in, out, stream);
  launch_of_rank<E, 4>(shape, form, in, out, stream);
}

template void launch_scales<std::uint8_t>(const CudaShape&, const Form&, const std::byte*, std::byte*, CUstream_st*);
template void launch_scales<float>(const CudaShape&, const Form&, const std::byte*, std::byte*, CUstream_st*);

}  // namespace crinkle::resampling
