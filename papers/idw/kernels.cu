// SPDX-License-Identifier: BSD-3-Clause
#include "papers/idw/kernels.cuh"

namespace crinkle::bench::idw_paper {
namespace {

/// All child grids in one: block b of target i is (b, i), rows of at most 65535 targets.
template <Rule rule, class T, class View>
__global__ void __launch_bounds__(child_threads) original_grid(View samples, View targets, T* sums, std::int64_t first) {
  add_block<rule>(samples, targets, blockIdx.x, first + blockIdx.y, sums);
}
template <Rule rule, class T, class View>
__global__ void __launch_bounds__(child_threads) improved_grid(View samples, View targets) {
  sum_in_block<rule, T>(samples, targets, blockIdx.x);
}

template <Rule rule, class T, class View>
std::function<void()> launches(Form form, const View& samples, const View& targets, T* sums, CUstream_st* stream) {
  const std::int64_t n = targets.size();
  switch (form) {
    case Form::naive:
      return [=] {
        naive_kernel<rule, T><<<blocks_of(n, block_threads), block_threads, 0, stream>>>(samples, targets);
        check(cudaGetLastError());
      };
    case Form::tiled:
      return [=] {
        tiled_kernel<rule, T><<<blocks_of(n, block_threads), block_threads, 0, stream>>>(samples, targets);
        check(cudaGetLastError());
      };
    case Form::improved_in_grid:
      return [=] {
        improved_grid<rule, T><<<static_cast<unsigned>(n), child_threads, 0, stream>>>(samples, targets);
        check(cudaGetLastError());
      };
    default:
      return [=] {
        constexpr std::int64_t most_rows = 65535;
        run_with_atomics(targets, sums, stream, [&] {
          for (std::int64_t first = 0; first < n; first += most_rows) {
            const dim3 grid(blocks_of(samples.size(), child_threads), static_cast<unsigned>(n - first < most_rows ? n - first : most_rows));
            original_grid<rule><<<grid, child_threads, 0, stream>>>(samples, targets, sums, first);
          }
        });
        check(cudaGetLastError());
      };
  }
}

}  // namespace

std::function<void()> sum_on_gpu(const Variant& v, const PointArrays& points, CUstream_st* stream) {
  if (is_launched_by_kernel(v.form)) return sum_by_child_grids(v, points, stream);
  return with_constants<n_layouts>(v, [&]<class T>(T, auto rule, auto layout) {
    using View = typename KernelView<T, layout()>::Type;
    return launches<rule(), T>(v.form, View(points.samples, points.n_samples), View(points.targets, points.n_targets),
                               reinterpret_cast<T*>(points.sums), stream);
  });
}

}  // namespace crinkle::bench::idw_paper
