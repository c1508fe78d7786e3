// The kernels of the suite `fft_paper`: a thread's steps (steps.hpp, whole.hpp) with barriers between them.
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include <string>

#include "crinkle/error.hpp"
#include "papers/fft/variants.hpp"

namespace crinkle::bench::fft_paper {
namespace {

constexpr int most_threads = 512;

struct KernelMemory {
  const Sample* src;
  Sample* dst;
  Sample* cells;

  __device__ Sample load(std::int64_t at) const { return src[at]; }
  __device__ void store(std::int64_t at, Sample value) const { dst[at] = value; }
  __device__ Sample take(std::int32_t place) const { return cells[place]; }
  __device__ void put(std::int32_t place, Sample value) const { cells[place] = value; }
  __device__ Sample root(const Sample* at) const {
    const float2 w = __ldg(reinterpret_cast<const float2*>(at));
    return {w.x, w.y};
  }
};

extern __shared__ Sample paper_cells[];

// nvcc 13 cannot name a kernel whose template has a value of a class.
template <Variant v>
__global__ void __launch_bounds__(most_threads) blocks_kernel(const Sample* src, Sample* dst, Launch told, Roots roots) {
  constexpr Form form = named(v).form;
  KernelMemory memory{src, dst, paper_cells};
  Thread<form> thread;
  const auto go_through = [&](const Launch& at) {
    for_each_step<form>(at, [&](Step step, int g) {
      thread.step(at, step, g, blockIdx.x, static_cast<std::int32_t>(threadIdx.x), roots, memory);
      if (has_barrier<form>(at, step, g)) __syncthreads();
    });
  };
  if constexpr (form.stages > 0) go_through(Launch{.m = form.stages, .k = form.stages, .is_reversed = form.is_reversed});
  else go_through(told);
}

__global__ void reversal_kernel(const Sample* src, Sample* dst, Reversal reversal) {
  KernelMemory memory{src, dst, paper_cells};
  Sample x[Reversal::n_each];
  const auto t = static_cast<std::int32_t>(threadIdx.x);
  reversal.step(Step::load, x, blockIdx.x, t, memory);
  reversal.step(Step::put, x, blockIdx.x, t, memory);
  __syncthreads();
  reversal.step(Step::take, x, blockIdx.x, t, memory);
  reversal.step(Step::store, x, blockIdx.x, t, memory);
}

__global__ void stage_kernel(const Sample* src, Sample* dst, int stage, Roots roots) {
  KernelMemory memory{src, dst, nullptr};
  do_whole_stage(stage, std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, roots, memory);
}

void check_launch() {
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
    throw Error(ErrorCode::device, std::string("a kernel of the benchmark: ") + cudaGetErrorString(status));
}

template <Variant v>
void start(const Pass& pass, std::int64_t n_samples, const Sample* src, Sample* dst, const Roots& roots, CUstream_st* stream) {
  const auto n_blocks = static_cast<unsigned>(n_samples >> pass.log_block());
  switch (pass.kind) {
    case Pass::Kind::blocks: {
      constexpr Form form = named(v).form;
      const unsigned threads = 1U << (pass.launch.m - form.log_radix);
      const std::size_t bytes = static_cast<std::size_t>(n_places(form, pass.launch.m)) * sizeof(Sample);
      blocks_kernel<v><<<n_blocks, threads, bytes, stream>>>(src, dst, pass.launch, roots);
      break;
    }
    case Pass::Kind::reversal: {
      const std::size_t bytes = static_cast<std::size_t>(pass.reversal.n_places()) * sizeof(Sample);
      reversal_kernel<<<n_blocks, static_cast<unsigned>(pass.reversal.threads()), bytes, stream>>>(src, dst, pass.reversal);
      break;
    }
    case Pass::Kind::stage: stage_kernel<<<n_blocks, 1U << Pass::log_stage_threads, 0, stream>>>(src, dst, pass.stage, roots); break;
  }
  check_launch();
}

}  // namespace

std::function<void()> transform_on_gpu(Variant v, std::vector<Pass> passes, std::int64_t n_samples, const Sample* src, Sample* dst,
                                       const Sample* tables, CUstream_st* stream) {
  return with_constant(v, [&](auto constant) {
    return std::function<void()>([=, passes = std::move(passes)] {
      const Sample* from = src;
      for (const Pass& pass : passes) {
        start<constant()>(pass, n_samples, from, dst, roots_in(tables), stream);
        from = dst;
      }
    });
  });
}

}  // namespace crinkle::bench::fft_paper
