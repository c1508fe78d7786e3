// The kernels of stars, boxes and rows, one for every march there is. SPDX-License-Identifier: BSD-3-Clause
#include "stencil/cuda_march.hpp"

#include <utility>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "stencil/cuda_axes.cuh"
#include "stencil/cuda_lines.cuh"
#include "stencil/cuda_star.cuh"
#include "stencil/cuda_steps.cuh"

namespace crinkle {
namespace {

struct MarchKernel {
  const void* kernel = nullptr;
  std::uint32_t threads = cuda_sweep_threads;
};

template <class T, std::size_t k>
MarchKernel kernel_of() {
  constexpr March m = marches[k];
  if constexpr (m.row == March::Row::across) return {reinterpret_cast<const void*>(&kernel::rows_of_weights<T>)};
  else if constexpr (m.row == March::Row::along_line) return {reinterpret_cast<const void*>(&kernel::weights_along_lines<T>)};
  else if constexpr (m.row == March::Row::star_of_axes) return {reinterpret_cast<const void*>(&kernel::star_of_axes<T, m.line, m.is_box>)};
  else if constexpr (m.steps > 1) return {reinterpret_cast<const void*>(&kernel::march_steps<T, m.steps, m.is_box>)};
  else if constexpr (m.is_wide_star()) return {reinterpret_cast<const void*>(&kernel::march_star<T, m.rows>), 32 * cuda_star_rows<m.rows>};
  else return {reinterpret_cast<const void*>(&kernel::march<T, kernel::Points<m.along, m.rows, m.line, m.is_box>>)};
}

template <class T, std::size_t... k>
MarchKernel found(const March& march, std::index_sequence<k...>) {
  MarchKernel result;
  ((marches[k] == march ? void(result = kernel_of<T, k>()) : void()), ...);
  return result;
}

}  // namespace

template <class T>
void launch_march(const CudaStage<T>& stage, const March& march, const std::byte* in, std::byte* out, CUstream_st* stream) {
  const MarchKernel of = found<T>(march, std::make_index_sequence<marches.size()>());
  gpu::for_each_grid(stage.n_blocks, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaStage<T>*>(&stage), &first, &in, &out};
    gpu::launch(of.kernel, {n_blocks, of.threads, 0}, arguments, stream, "a stencil");
  });
}

template void launch_march(const CudaStage<float>&, const March&, const std::byte*, std::byte*, CUstream_st*);
template void launch_march(const CudaStage<double>&, const March&, const std::byte*, std::byte*, CUstream_st*);

}  // namespace crinkle
