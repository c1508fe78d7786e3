// What kernels of .cuh files need of CUDA, for a CPU: a block's threads are threads, and a cluster's blocks run at once. Included before
// them, alone in its file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __shared__
#define __align__(n)

namespace crinkle::testing::walk {

struct Index {
  std::uint32_t x = 0;
};
using Barrier = std::unique_ptr<std::barrier<>>;
inline thread_local Index thread, block;
inline thread_local std::uint32_t rank = 0;  // of the block in its cluster
inline Index threads_of_block, blocks_of_grid;
inline Barrier all_of_cluster;
inline std::vector<Barrier> blocks, warps;
inline constexpr std::uint32_t bytes_of_block = 1 << 16;  // of a cluster's shared memory

/// kernel() by all threads of one block, or of `n_together` of them, after another.
template <class Kernel>
void launch(std::uint32_t n_blocks, std::uint32_t n_threads, const Kernel& kernel, std::uint32_t n_together = 1) {
  const auto barrier = [](std::uint32_t n) { return std::make_unique<std::barrier<>>(n); };
  blocks_of_grid.x = n_blocks;
  threads_of_block.x = n_threads;
  for (std::uint32_t first = 0; first < n_blocks; first += n_together) {
    all_of_cluster = barrier(n_together * n_threads);
    blocks.clear();
    warps.clear();
    for (std::uint32_t i = 0; i < n_together; ++i) blocks.push_back(barrier(n_threads));
    for (std::uint32_t i = 0; i < n_together * n_threads / 32; ++i) warps.push_back(barrier(32));
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < n_together * n_threads; ++i) {
      threads.emplace_back([&kernel, first, n_threads, i] {
        thread.x = i % n_threads;
        rank = i / n_threads;
        block.x = first + rank;
        kernel();
      });
    }
  }
}

}  // namespace crinkle::testing::walk

#define threadIdx crinkle::testing::walk::thread
#define blockIdx crinkle::testing::walk::block
#define blockDim crinkle::testing::walk::threads_of_block
#define gridDim crinkle::testing::walk::blocks_of_grid

inline void __syncthreads() { crinkle::testing::walk::blocks[crinkle::testing::walk::rank]->arrive_and_wait(); }
inline void __syncwarp() {
  using namespace crinkle::testing::walk;
  warps[(rank * threads_of_block.x + crinkle::testing::walk::thread.x) / 32]->arrive_and_wait();
}

struct float2 {
  float x, y;
};
struct double2 {
  double x, y;
};
struct float4 {
  float x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
void __stwb(T* to, const T& x) {
  *to = x;
}
inline std::uint32_t __umulhi(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }

// Of cluster.cuh: a block's shared memory lies behind that of the one before.
namespace crinkle::fft::kernel {
inline std::uint32_t cluster_rank() { return testing::walk::rank; }
inline thread_local std::optional<std::barrier<>::arrival_token> arrived;
inline void arrive_in_cluster() { arrived = testing::walk::all_of_cluster->arrive(); }
inline void wait_in_cluster() { testing::walk::all_of_cluster->wait(*std::exchange(arrived, {})); }
template <class T>
T* cells_in_cluster(T* own, std::uint32_t block) {
  const std::int64_t away = (std::int64_t{block} - testing::walk::rank) * testing::walk::bytes_of_block;
  return reinterpret_cast<T*>(reinterpret_cast<char*>(own) + away);
}
inline char* shared_of_block(char* shared) { return shared + testing::walk::rank * testing::walk::bytes_of_block; }
}  // namespace crinkle::fft::kernel
