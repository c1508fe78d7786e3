// The kernels of stars, boxes and rows, one for every march there is, and their launches: march_float.cu and march_double.cu compile them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuda/grids.hpp"
#include "cuda/runtime.hpp"
#include "stencil/cuda/axes.cuh"
#include "stencil/cuda/lines.cuh"
#include "stencil/cuda/march.hpp"
#include "stencil/cuda/steps.cuh"
#include "stencil/cuda/stream.cuh"

namespace crinkle {

struct MarchKernel {
  const void* kernel = nullptr;
  std::uint32_t threads = cuda_sweep_threads;
  std::int64_t shared_bytes = 0;
};

template <class T, int radius, bool is_box>
MarchKernel stream_kernel() {
  using Plane = kernel::StreamPlane<T, radius, is_box>;
  return {reinterpret_cast<const void*>(&kernel::stream<T, radius, is_box>), Plane::threads, Plane::shared_bytes};
}

template <class T, int radius>
MarchKernel star_kernel(int vector) {
  if (vector == 16) return {reinterpret_cast<const void*>(&kernel::star_of_axes<T, radius, 16 / sizeof(T)>)};
  if constexpr (sizeof(T) < 8) {
    if (vector == 8) return {reinterpret_cast<const void*>(&kernel::star_of_axes<T, radius, 8 / sizeof(T)>)};
  }
  return {reinterpret_cast<const void*>(&kernel::star_of_axes<T, radius, 1>)};
}

template <class T, std::size_t k>
MarchKernel march_kernel_of([[maybe_unused]] int vector) {
  constexpr March m = marches[k];
  if constexpr (m.row == March::Row::across) return {reinterpret_cast<const void*>(&kernel::rows_of_weights<T>)};
  else if constexpr (m.row == March::Row::along_line) return {reinterpret_cast<const void*>(&kernel::weights_along_lines<T>)};
  else if constexpr (m.row == March::Row::star_of_axes && m.is_box) return {reinterpret_cast<const void*>(&kernel::short_row<T, m.line>)};
  else if constexpr (m.row == March::Row::star_of_axes) return star_kernel<T, m.line>(vector);
  else if constexpr (m.steps > 1) return {reinterpret_cast<const void*>(&kernel::march_steps<T, m.steps, m.is_box>)};
  else if constexpr (m.is_stream()) return stream_kernel<T, m.rows, m.is_box>();
  else return {reinterpret_cast<const void*>(&kernel::march<T, kernel::Points<m.along, m.rows, m.line, m.is_box>>)};
}

template <class T, std::size_t... k>
MarchKernel kernel_of_march(const March& march, int vector, std::index_sequence<k...>) {
  MarchKernel result;
  ((marches[k] == march ? void(result = march_kernel_of<T, k>(vector)) : void()), ...);
  return result;
}
template <class T>
MarchKernel kernel_of_march(const March& march, int vector = 16) {
  return kernel_of_march<T>(march, vector, std::make_index_sequence<marches.size()>());
}

template <class T>
bool allow_march(const March& march, int device) {
  const gpu::OnDevice on(device);
  const MarchKernel of = kernel_of_march<T>(march);
  if (of.shared_bytes == 0) return true;
  cudaFuncAttributes facts;
  int most = 0;
  gpu::check_status(cudaFuncGetAttributes(&facts, of.kernel), "a stencil");
  gpu::check_status(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "a stencil");
  if (of.shared_bytes + static_cast<std::int64_t>(facts.sharedSizeBytes) > most) return false;
  gpu::check_status(cudaFuncSetAttribute(of.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(of.shared_bytes)),
                    "a stencil");
  return true;
}

template <class T>
void launch_march(const CudaStage<T>& stage, const March& march, const std::byte* in, std::byte* out, CUstream_st* stream) {
  const MarchKernel of = kernel_of_march<T>(march, stage.vector);
  gpu::for_each_grid(stage.n_blocks, [&](std::int64_t first, std::uint32_t n_blocks) {
    void* arguments[] = {const_cast<CudaStage<T>*>(&stage), &first, &in, &out};
    gpu::launch(of.kernel, {n_blocks, of.threads, of.shared_bytes}, arguments, stream, "a stencil");
  });
}

}  // namespace crinkle
