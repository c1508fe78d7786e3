// What kernels of .cuh files need of CUDA, for a CPU: a block's threads are threads. Included before them, alone in its file.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__
#define __align__(n)

namespace crinkle::testing::walk {

struct Index {
  std::uint32_t x = 0;
};
inline thread_local Index thread;
inline Index block, threads_of_block, blocks_of_grid;
inline std::unique_ptr<std::barrier<>> all;
inline std::vector<std::unique_ptr<std::barrier<>>> warps;

/// kernel() by all threads of one block after another.
template <class Kernel>
void launch(std::uint32_t n_blocks, std::uint32_t n_threads, const Kernel& kernel) {
  blocks_of_grid.x = n_blocks;
  threads_of_block.x = n_threads;
  for (block.x = 0; block.x < n_blocks; ++block.x) {
    all = std::make_unique<std::barrier<>>(n_threads);
    warps.clear();
    for (std::uint32_t i = 0; i < n_threads / 32; ++i) warps.push_back(std::make_unique<std::barrier<>>(32));
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < n_threads; ++i) {
      threads.emplace_back([&kernel, i] {
        thread.x = i;
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

inline void __syncthreads() { crinkle::testing::walk::all->arrive_and_wait(); }
inline void __syncwarp() { crinkle::testing::walk::warps[crinkle::testing::walk::thread.x / 32]->arrive_and_wait(); }

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
