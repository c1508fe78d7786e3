// Long rows of numbers one behind the other, by kernels that know their plan: a block takes several groups of lines in turn, and the copy
// engine brings the next group while the block is busy with one.
//     landing    where in shared memory the lines come to, in bytes
// Addresses are multiples of 16 there. A group may begin 8 bytes behind one, and then comes with the 8 bytes before it; 8 bytes that are
// left at its end are a thread's to take.
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
__device__ __forceinline__ void copy_rest(char* to, const char* from) {
  *reinterpret_cast<std::uint64_t*>(to) = *reinterpret_cast<const std::uint64_t*>(from);
}
__device__ __forceinline__ void wait_for(std::uint64_t* barrier, std::uint32_t parity) {
  asm volatile("{\n\t.reg .pred p;\n\tagain:\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t@!p bra again;\n\t}" ::"r"(
                   shared_address(barrier)),
               "r"(parity)
               : "memory");
}

template <class P, class T = typename P::T>
__device__ __forceinline__ void transform_lines_ahead(const CudaLines<T>& lines, std::int64_t, const char* in, char* out) {
  static_assert(P::reads && P::writes && P::group == P::threads && !P::are_columns && !P::are_convolved);
  extern __shared__ __align__(128) char shared_bytes[];
  constexpr std::uint32_t line_bytes = P::n * sizeof(Number<T>), whole_bytes = P::lanes * line_bytes;
  char* const landing = shared_bytes + P::landing;
  auto* const barrier = reinterpret_cast<std::uint64_t*>(landing + (whole_bytes + 15) / 16 * 16);
  using First = KnownStage<P, 0>;
  const CudaEnds<T>& ends = P::ends(lines);
  const auto before = [](const Block& block) { return whole_bytes % 16 == 0 ? 0u : static_cast<std::uint32_t>(block.in) % 16; };
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
    __syncthreads();
    if (threadIdx.x == 0 && group + gridDim.x < lines.n_blocks) fetch_lines(group + gridDim.x);
    known_stages<P, 0>(lines, shared_bytes, a, false);
    put_numbers<P>(lines, block, a, out);
  }
}

}  // namespace crinkle::fft::kernel
