// The kernels of the suite `interpolate`, a template each for all layouts, types and powers: 256 threads a block, 1024 where a block is (a
// part of) a target's child grid, as in paper 4.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "crinkle/error.hpp"
#include "papers/idw/variants.hpp"

namespace crinkle::bench::idw_paper {

inline constexpr int block_threads = 256, child_threads = 1024;

#if CUDART_VERSION >= 13000
using DoubleFour = double4_16a;
#else
using DoubleFour = double4;
#endif

/// Points as float4 or double4, with the functions of a view that the kernels call.
template <class T>
class FourView {
 public:
  using Four = std::conditional_t<sizeof(T) == 4, float4, DoubleFour>;
  FourView() = default;
  CRINKLE_HD FourView(void* base, std::int64_t n) : points_(static_cast<Four*>(base)), n_(n) {}
  CRINKLE_HD std::int64_t size() const { return n_; }
  CRINKLE_HD static constexpr std::int64_t bytes(std::int64_t n) { return n * std::int64_t{sizeof(Four)}; }
  CRINKLE_HD Point<T> load(std::int64_t i) const {
    const Four p = points_[i];
    return {p.x, p.y, p.z};
  }
  CRINKLE_HD void store(std::int64_t i, const Point<T>& p) const { points_[i] = {p.x, p.y, p.z, 0}; }
  CRINKLE_HD void store(field<&Point<T>::z>, std::int64_t i, T z) const { points_[i].z = z; }

 private:
  Four* points_ = nullptr;
  std::int64_t n_ = 0;
};

/// Points as float2 or double2, and values beside them.
template <class T>
class TwoView {
 public:
  using Two = std::conditional_t<sizeof(T) == 4, float2, double2>;
  TwoView() = default;
  CRINKLE_HD TwoView(void* base, std::int64_t n) : places_(static_cast<Two*>(base)), values_(reinterpret_cast<T*>(places_ + n)), n_(n) {}
  CRINKLE_HD std::int64_t size() const { return n_; }
  CRINKLE_HD static constexpr std::int64_t bytes(std::int64_t n) { return n * std::int64_t{sizeof(Two) + sizeof(T)}; }
  CRINKLE_HD Point<T> load(std::int64_t i) const {
    const Two p = places_[i];
    return {p.x, p.y, values_[i]};
  }
  CRINKLE_HD void store(std::int64_t i, const Point<T>& p) const {
    places_[i] = {p.x, p.y};
    values_[i] = p.z;
  }
  CRINKLE_HD void store(field<&Point<T>::z>, std::int64_t i, T z) const { values_[i] = z; }

 private:
  Two* places_ = nullptr;
  T* values_ = nullptr;
  std::int64_t n_ = 0;
};

template <class T, PointLayout layout>
struct KernelView {
  using Type = PointView<T, layout>;
};
template <class T>
struct KernelView<T, PointLayout::vector4> {
  using Type = FourView<T>;
};
template <class T>
struct KernelView<T, PointLayout::vector2> {
  using Type = TwoView<T>;
};

template <class T>
__device__ inline void put(const auto& targets, std::int64_t i, T z) {
  targets.store(field<&Point<T>::z>(), i, z);
}

template <Rule rule, class T, class View>
__global__ void naive_kernel(View samples, View targets) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i >= targets.size()) return;
  const Point<T> at = targets.load(i);
  Sums<rule, T> sums;
  for (std::int64_t j = 0; j < samples.size(); ++j) sums.add(samples.load(j), at.x, at.y);
  put(targets, i, sums.mean());
}

template <Rule rule, class T, class View>
__global__ void tiled_kernel(View samples, View targets) {
  __shared__ alignas(16) unsigned char bytes[View::bytes(block_threads)];
  const View tile(bytes, block_threads);
  const auto t = static_cast<int>(threadIdx.x);
  const std::int64_t i = blockIdx.x * std::int64_t{block_threads} + t;
  const bool is_there = i < targets.size();
  const Point<T> at = targets.load(is_there ? i : 0);
  Sums<rule, T> sums;
  std::int64_t first = 0;
  for (; first + block_threads <= samples.size(); first += block_threads) {
    tile.store(t, samples.load(first + t));
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < block_threads; ++k) sums.add(tile.load(k), at.x, at.y);
    __syncthreads();
  }
  const auto n_left = static_cast<int>(samples.size() - first);
  if (t < n_left) tile.store(t, samples.load(first + t));
  __syncthreads();
  for (int k = 0; k < n_left; ++k) sums.add(tile.load(k), at.x, at.y);
  if (is_there) put(targets, i, sums.mean());
}

/// The block's sums, in thread 0.
template <Rule rule, class T>
__device__ Sums<rule, T> reduced(const Sums<rule, T>& own) {
  __shared__ T weights[child_threads], values[child_threads];
  const auto t = static_cast<int>(threadIdx.x);
  weights[t] = own.weights;
  values[t] = own.values;
  for (int half = child_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t >= half) continue;
    weights[t] += weights[t + half];
    values[t] += values[t + half];
  }
  return t == 0 ? Sums<rule, T>{weights[0], values[0]} : own;
}

/// Block b of target i's original child grid: Σ w and Σ w z are added to sums[i] and sums[n + i].
template <Rule rule, class T, class View>
__device__ void add_block(const View& samples, const View& targets, std::int64_t b, std::int64_t i, T* sums) {
  const Point<T> at = targets.load(i);
  const std::int64_t j = b * child_threads + threadIdx.x;
  Sums<rule, T> own;
  if (j < samples.size()) own.add(samples.load(j), at.x, at.y);
  const Sums<rule, T> all = reduced(own);
  if (threadIdx.x != 0) return;
  atomicAdd(sums + i, all.weights);
  atomicAdd(sums + targets.size() + i, all.values);
}
/// What becomes of the sums when all child grids have been.
template <class T, class View>
__global__ void divide_kernel(View targets, const T* sums) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < targets.size()) put(targets, i, sums[targets.size() + i] / sums[i]);
}
/// The one block of target i's improved child grid.
template <Rule rule, class T, class View>
__device__ void sum_in_block(const View& samples, const View& targets, std::int64_t i) {
  const Point<T> at = targets.load(i);
  Sums<rule, T> own;
  for (std::int64_t j = threadIdx.x; j < samples.size(); j += child_threads) own.add(samples.load(j), at.x, at.y);
  const Sums<rule, T> all = reduced(own);
  if (threadIdx.x == 0) put(targets, i, all.mean());
}

inline unsigned blocks_of(std::int64_t n, int threads) { return static_cast<unsigned>((n + threads - 1) / threads); }

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw Error(ErrorCode::device, std::string("a kernel of the benchmark: ") + cudaGetErrorString(status));
}

/// zero(), blocks(), then the quotients: a run of a form with atomics.
template <class T, class View, class Blocks>
void run_with_atomics(const View& targets, T* sums, CUstream_st* stream, const Blocks& blocks) {
  check(cudaMemsetAsync(sums, 0, static_cast<std::size_t>(2 * targets.size()) * sizeof(T), stream));
  blocks();
  divide_kernel<<<blocks_of(targets.size(), block_threads), block_threads, 0, stream>>>(targets, sums);
}

}  // namespace crinkle::bench::idw_paper
