// Rows of numbers one behind the other, by kernels that know their plan: a block takes several groups of lines in turn; the copy engine
// brings the next group while the block is busy with one, and takes away the results of lines that are too short to be written whole.
//     landing, leaving    where in shared memory the lines come to, in bytes, and where they go from; leaving < 0: butterflies write
// Addresses are multiples of 16 there. A group may begin 8 bytes behind one, and then comes with the 8 bytes before it; 8 bytes that are
// left at its end are a thread's to take. Of lines that are sent so, all groups but the last are multiples of 16.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fft/cuda/known.cuh"

namespace crinkle::fft::kernel {

// Of memory that the copy engine writes, and says so to a barrier of shared memory; once over, its parity changes.
__device__ __forceinline__ std::uint32_t shared_address(const void* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void begin_barrier(std::uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(shared_address(barrier)) : "memory");
}
__device__ __forceinline__ void fetch(char* to, const char* from, std::uint32_t bytes, std::uint64_t* barrier) {
  const std::uint32_t at = shared_address(barrier);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
               "l"(from), "r"(bytes), "r"(at)
               : "memory");
}
__device__ __forceinline__ void send(char* to, const char* from, std::uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\tcp.async.bulk.commit_group;" ::"l"(to),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void copy_rest(char* to, const char* from) {
  *reinterpret_cast<std::uint64_t*>(to) = *reinterpret_cast<const std::uint64_t*>(from);
}
__device__ __forceinline__ void wait_until_sent() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ __forceinline__ void show_to_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void wait_for(std::uint64_t* barrier, std::uint32_t parity) {
  asm volatile("{\n\t.reg .pred p;\n\tagain:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra again;\n\t}" ::"r"(
                   shared_address(barrier)),
               "r"(parity)
               : "memory");
}

template <class P, class T = typename P::T>
__device__ __forceinline__ void transform_lines_ahead(const CudaLines<T>& lines, const char* in, char* out) {
  static_assert(P::reads && P::group == P::threads && !P::are_columns && !P::are_convolved && (P::writes || P::leaving >= 0));
  extern __shared__ __align__(128) char shared_bytes[];
  constexpr std::uint32_t line_bytes = P::n * sizeof(Number<T>);
  char *const landing = shared_bytes + P::landing, *const leaving = shared_bytes + P::leaving;
  constexpr std::uint32_t group_bytes_ahead = P::lanes * line_bytes;
  static_assert(P::writes || group_bytes_ahead % 16 == 0);
  auto* const barrier = reinterpret_cast<std::uint64_t*>(landing + (group_bytes_ahead + 15) / 16 * 16);
  using First = KnownStage<P, 0>;
  using Last = KnownStage<P, last_stage<P>>;
  const CudaEnds<T>& ends = P::ends(lines);
  const auto before = [](const Block& block) { return group_bytes_ahead % 16 == 0 ? 0u : static_cast<std::uint32_t>(block.in) % 16; };
  const auto fetch_lines = [&](std::int64_t group) {
    const Block block = block_of<P::n_loops>(lines, group);
    const std::uint32_t bytes = block.n_lines * line_bytes + before(block), whole = bytes / 16 * 16;
    const char* const first = in + block.in - before(block);
    if (line_bytes % 16 != 0 && whole < bytes) copy_rest(landing + whole, first + whole);
    fetch(landing, first, whole, barrier);
  };
  if (threadIdx.x == 0) {
    begin_barrier(barrier);
    fetch_lines(blockIdx.x);
  }
  __syncthreads();
  Number<T> a[held<P>];
  std::uint32_t parity = 0;
  for (std::int64_t group = blockIdx.x; group < lines.n_blocks; group += gridDim.x) {
    const Block block = block_of<P::n_loops>(lines, group);
    wait_for(barrier, parity);
    parity ^= 1;
    for_each_item<P, 0>(false, [&](std::uint32_t e, const Item& at) {
      const auto* const line = reinterpret_cast<const Number<T>*>(landing + before(block)) + at.lane * P::n + at.b;
#pragma unroll
      for (std::uint32_t i = 0; i < First::radix; ++i) a[e * First::radix + i] = line[i * First::m];
    });
#pragma unroll
    for (std::uint32_t j = 0; j < First::each * First::radix; ++j) a[j].im *= ends.im_in;
    if (!P::writes && threadIdx.x == 0) wait_until_sent();
    __syncthreads();
    if (threadIdx.x == 0 && group + gridDim.x < lines.n_blocks) fetch_lines(group + gridDim.x);
    known_stages<P, 0>(lines, shared_bytes, a, false);
    if constexpr (P::writes) {
      put_numbers<P>(lines, block, a, out);
    } else {
      for_each_item<P, last_stage<P>>(false, [&](std::uint32_t e, const Item& at) {
        auto* const line = reinterpret_cast<Number<T>*>(leaving) + at.lane * P::n + at.b;
#pragma unroll
        for (std::uint32_t k = 0; k < Last::radix; ++k) {
          const Number<T>& x = a[e * Last::radix + k];
          line[k * Last::s] = {x.re * ends.re, x.im * ends.im};
        }
      });
      show_to_copies();
      __syncthreads();
      if (threadIdx.x == 0) {
        const std::uint32_t bytes = block.n_lines * line_bytes, whole = bytes / 16 * 16;
        if (line_bytes % 16 != 0 && whole < bytes) copy_rest(out + block.out + whole, leaving + whole);
        send(out + block.out, leaving, whole);
      }
    }
  }
  if (!P::writes && threadIdx.x == 0) wait_until_sent();
}

}  // namespace crinkle::fft::kernel
