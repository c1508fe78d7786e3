// What kernels of .cuh files need of CUDA, for a CPU: a block's threads are threads, blocks run one after another, those of a cluster at
// once. Included before them. Shared memory that a kernel declares `extern __shared__ char shared[]` is a variable that the test defines,
// in the same namespace; arrays that it declares with a size are not shared here.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __shared__
#define __constant__
#define __align__(n)

namespace crinkle::testing::walk {

struct Index {
  std::uint32_t x = 0, y = 0, z = 0;
  std::uint32_t count() const { return x * y * z; }
};
using Barrier = std::unique_ptr<std::barrier<>>;
/// Of a warp: what its threads show each other, and how many they are.
struct Warp {
  explicit Warp(std::uint32_t n) : n_threads(n), barrier(n) {}
  std::uint32_t n_threads;
  std::barrier<> barrier;
  std::array<std::array<char, 16>, 32> shown{};
};

inline thread_local Index thread, block;
inline thread_local std::uint32_t rank = 0;    // of the block in its cluster
inline thread_local std::uint32_t number = 0;  // of the thread in its block
inline Index threads_of_block, blocks_of_grid;
inline Barrier all_of_cluster;
inline std::vector<Barrier> blocks;
inline std::vector<std::unique_ptr<Warp>> warps;
inline constexpr std::uint32_t bytes_of_block = 1 << 16;  // of a cluster's shared memory

inline Warp& warp() {
  const std::uint32_t n_warps = (threads_of_block.count() + 31) / 32;
  return *warps[rank * n_warps + number / 32];
}
/// Threads that are done no longer hold up others.
inline void leave() {
  blocks[rank]->arrive_and_drop();
  warp().barrier.arrive_and_drop();
}

/// kernel() by all threads of one block, or of `n_together` of them, after another.
template <class Kernel>
void launch(Index n_blocks, Index n_threads, const Kernel& kernel, std::uint32_t n_together = 1) {
  blocks_of_grid = n_blocks;
  threads_of_block = n_threads;
  const std::uint32_t n = n_threads.count(), all = n_together * n, n_warps = (n + 31) / 32;
  const auto begin = [=] {
    all_of_cluster = std::make_unique<std::barrier<>>(all);
    blocks.clear();
    warps.clear();
    for (std::uint32_t i = 0; i < n_together; ++i) blocks.push_back(std::make_unique<std::barrier<>>(n));
    for (std::uint32_t i = 0; i < n_together * n_warps; ++i)
      warps.push_back(std::make_unique<Warp>(std::min<std::uint32_t>(32, n - i % n_warps * 32)));
  };
  begin();
  std::barrier next(all, [&]() noexcept { begin(); });
  std::vector<std::jthread> threads;
  for (std::uint32_t i = 0; i < all; ++i) {
    threads.emplace_back([&, i] {
      number = i % n;
      rank = i / n;
      thread = {number % n_threads.x, number / n_threads.x % n_threads.y, number / n_threads.x / n_threads.y};
      for (std::uint32_t first = 0; first < n_blocks.count(); first += n_together) {
        const std::uint32_t at = first + rank;
        block = {at % n_blocks.x, at / n_blocks.x % n_blocks.y, at / n_blocks.x / n_blocks.y};
        kernel();
        leave();
        next.arrive_and_wait();
      }
    });
  }
}
template <class Kernel>
void launch(std::uint32_t n_blocks, std::uint32_t n_threads, const Kernel& kernel, std::uint32_t n_together = 1) {
  launch(Index{n_blocks, 1, 1}, Index{n_threads, 1, 1}, kernel, n_together);
}

/// Every thread of a warp shows a value; `from(lane)` is the lane whose value it takes.
template <class T, class From>
T exchanged(const T& value, const From& from) {
  static_assert(sizeof(T) <= 16);
  Warp& w = warp();
  std::memcpy(w.shown[number % 32].data(), &value, sizeof(T));
  w.barrier.arrive_and_wait();
  T taken;
  const std::uint32_t lane = from(number % 32);
  std::memcpy(&taken, w.shown[lane < w.n_threads ? lane : number % 32].data(), sizeof(T));
  w.barrier.arrive_and_wait();
  return taken;
}

}  // namespace crinkle::testing::walk

#define threadIdx crinkle::testing::walk::thread
#define blockIdx crinkle::testing::walk::block
#define blockDim crinkle::testing::walk::threads_of_block
#define gridDim crinkle::testing::walk::blocks_of_grid

inline void __syncthreads() { crinkle::testing::walk::blocks[crinkle::testing::walk::rank]->arrive_and_wait(); }
inline void __syncwarp(std::uint32_t = ~0U) { crinkle::testing::walk::warp().barrier.arrive_and_wait(); }

#include "support/kernel_words.hpp"
