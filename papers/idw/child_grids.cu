// Paper 4's child grids as they are written there: a kernel with a thread a target launches them (CUDA Dynamic Parallelism). This file
// alone is compiled as relocatable device code and linked with the device runtime (suites/CMakeLists.txt). Today's kernels cannot wait for
// their child grids: the stream does, so the quotients of the original form are a kernel behind. Children go to the stream that neither
// waits nor is waited for; with the one that a launch has by default those of a block would follow each other.
// SPDX-License-Identifier: BSD-3-Clause
#include "papers/idw/kernels.cuh"

namespace crinkle::bench::idw_paper {
namespace {

constexpr std::int64_t most_children = 1 << 15;  // of one parent; twice as many may be pending
constexpr int parent_threads = 32;

template <Rule rule, class T, class View>
__global__ void __launch_bounds__(child_threads) original_child(View samples, View targets, T* sums, std::int64_t i) {
  add_block<rule>(samples, targets, blockIdx.x, i, sums);
}
template <Rule rule, class T, class View>
__global__ void __launch_bounds__(child_threads) improved_child(View samples, View targets, std::int64_t i) {
  sum_in_block<rule, T>(samples, targets, i);
}

template <Rule rule, class T, class View>
__global__ void original_parent(View samples, View targets, T* sums, std::int64_t first, std::int64_t end) {
  const std::int64_t i = first + blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const auto n_blocks = static_cast<unsigned>((samples.size() + child_threads - 1) / child_threads);
  if (i < end) original_child<rule><<<n_blocks, child_threads, 0, cudaStreamFireAndForget>>>(samples, targets, sums, i);
}
template <Rule rule, class T, class View>
__global__ void improved_parent(View samples, View targets, std::int64_t first, std::int64_t end) {
  const std::int64_t i = first + blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < end) improved_child<rule, T><<<1, child_threads, 0, cudaStreamFireAndForget>>>(samples, targets, i);
}

/// parent(first, end, blocks) for parts of all targets.
template <class Parent>
void for_each_parent(std::int64_t n, const Parent& parent) {
  for (std::int64_t first = 0; first < n; first += most_children) {
    const std::int64_t end = n - first < most_children ? n : first + most_children;
    parent(first, end, blocks_of(end - first, parent_threads));
  }
  check(cudaGetLastError());
}

}  // namespace

std::function<void()> sum_by_child_grids(const Variant& v, const PointArrays& points, CUstream_st* stream) {
  check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2 * most_children));
  return with_constants<n_layouts>(v, [&]<class T>(T, auto rule, auto layout) -> std::function<void()> {
    using View = typename KernelView<T, layout()>::Type;
    const View samples(points.samples, points.n_samples), targets(points.targets, points.n_targets);
    T* const sums = reinterpret_cast<T*>(points.sums);
    if (v.form == Form::original)
      return [=] {
        run_with_atomics(targets, sums, stream, [&] {
          for_each_parent(targets.size(), [&](std::int64_t first, std::int64_t end, unsigned n_blocks) {
            original_parent<rule()><<<n_blocks, parent_threads, 0, stream>>>(samples, targets, sums, first, end);
          });
        });
      };
    return [=] {
      for_each_parent(targets.size(), [&](std::int64_t first, std::int64_t end, unsigned n_blocks) {
        improved_parent<rule(), T><<<n_blocks, parent_threads, 0, stream>>>(samples, targets, first, end);
      });
    };
  });
}

}  // namespace crinkle::bench::idw_paper
