// Blocks of a cluster, which write into each other's shared memory: of compute capability 9.0 and later. Where there are none, kernels of
// them are not started. A host that walks through kernels has functions of its own (tests/kernels/cluster.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define CRINKLE_CLUSTER(n)
#else
#define CRINKLE_CLUSTER(n) __cluster_dims__(n, 1, 1)
#endif

namespace crinkle::fft::kernel {

#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
__device__ __forceinline__ std::uint32_t cluster_rank() {
  std::uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
// All threads of all blocks arrive, and wait until the others have; what they wrote before is then there.
__device__ __forceinline__ void arrive_in_cluster() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
__device__ __forceinline__ void wait_in_cluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
/// What lies in another block's shared memory where `own` lies in this one's.
template <class T>
__device__ __forceinline__ T* cells_in_cluster(T* own, std::uint32_t block) {
  std::uint64_t there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(block));
  return reinterpret_cast<T*>(there);
}
__device__ __forceinline__ char* shared_of_block(char* shared) { return shared; }
#elif defined(__CUDACC__)
__device__ inline std::uint32_t cluster_rank() { return 0; }
__device__ inline void arrive_in_cluster() {}
__device__ inline void wait_in_cluster() { __trap(); }
template <class T>
__device__ inline T* cells_in_cluster(T* own, std::uint32_t) {
  return own;
}
__device__ inline char* shared_of_block(char* shared) { return shared; }
#endif

}  // namespace crinkle::fft::kernel
